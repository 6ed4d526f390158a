import type { Plugin } from 'esbuild';

/**
 * Leaves out what pino needs for transports, which would be worker threads with files of their own, for several streams and for a
 * redaction by paths: the functions write one stream themselves, and redact what they hand to pino. It is a third of it, loaded at each cold
 * start.
 */
export const withoutLogTransports: Plugin = {
  name: 'without-log-transports',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]pino[\\/]lib[\\/](?:transport|multistream)\.js$/ }, () => ({
      contents: refused,
    }));
    onLoad({ filter: /node_modules[\\/]@pinojs[\\/]redact[\\/]index\.js$/ }, () => ({ contents: refused }));
  },
};

const refused = `module.exports = () => { throw new Error('The functions write their log themselves.'); };`;
