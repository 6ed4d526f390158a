import { listenEarly, portOrAny } from '../../shared/host/early-server.ts';

// The port comes first, and whatever comes to it waits until the rest is loaded.
const early = listenEarly({ port: portOrAny(process.env['PORT']) });

void import('./start.ts').then(({ start }) => start({ variables: process.env, early }));
