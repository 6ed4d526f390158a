import { listenEarly } from '../../shared/host/early-server.ts';

// The port comes first, and whatever comes to it waits: an empty or wrong PORT is complained about by serveFunction.
const early = listenEarly({ port: Number(process.env['PORT'] ?? 8080) || 0 });

void import('./start.ts').then(({ start }) => start({ variables: process.env, early }));
