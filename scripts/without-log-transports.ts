import type { Plugin } from 'esbuild';

/**
 * Leaves out what pino needs for transports, which would be worker threads with files of their own, for several streams, for a redaction by
 * paths and for objects that contain themselves: the functions write one stream themselves, and what they hand to pino is a redacted copy
 * without any circle. It is a half of it, loaded at each cold start.
 */
export const withoutLogTransports: Plugin = {
  name: 'without-log-transports',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules[\\/]pino[\\/]lib[\\/](?:transport|multistream)\.js$/ }, () => ({
      contents: refused,
    }));
    onLoad({ filter: /node_modules[\\/]@pinojs[\\/]redact[\\/]index\.js$/ }, () => ({ contents: refused }));
    onLoad({ filter: /node_modules[\\/]safe-stable-stringify[\\/]index\.js$/ }, () => ({ contents: unwritable }));
  },
};

const refused = `module.exports = () => { throw new Error('The functions write their log themselves.'); };`;

/** What pino writes where JSON.stringify throws, and its own way too. */
const unwritable = `exports.configure = () => () => '"[unable to serialize]"';`;
