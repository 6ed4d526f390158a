import packageJson from '../../package.json' with { type: 'json' };
import { serveFunction } from '../../shared/host/serve-function.ts';
import { createFunction } from './handler.ts';

void serveFunction(process.env, (settings) => createFunction({ ...settings, version: packageJson.version }));
