import { parseArgs } from 'node:util';
import * as z from 'zod';

export const usage = `usage: npm start [-- <options>]

The whole system in one process: the functions, a broker and the sources that knative/ describes, against the management
cluster of a kubeconfig. Prints one line per report. Ctrl-C stops it.

  --kubeconfig <file>   default: where kubectl looks
  --context <name>      default: the kubeconfig's current one
  --port <number>       default: 8080; 0 takes a free one
  --address <ip>        default: 127.0.0.1
  --manifests <path>    file or folder of the Knative objects, default: knative/base
  --listener <url>      takes reports in Magnum's stead
  --function <name>=<url>
                        a function that runs elsewhere; may be given more than once
  --no-auth             do not check who invokes the functions
  --log-level <level>   of the functions' log on standard error, default: warn
  --help                print this

environment:
  OS_CLIENT_CONFIG_FILE a clouds.yaml with the functions' own credential in the cloud; without it credentials of deleted
                        clusters stay in Keystone
  OS_CLOUD              which of its clouds, default: default

exit codes: 0 stopped as asked, 1 could not start, 2 wrong usage
`;

const url = z.url({ protocol: /^https?$/ });

const values = z.strictObject({
  kubeconfig: z.string().min(1).optional(),
  context: z.string().min(1).optional(),
  port: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .refine((port) => port <= 65_535)
    .default(8080),
  address: z.union([z.ipv4(), z.ipv6()]).default('127.0.0.1'),
  manifests: z.string().min(1).optional(),
  listener: url.optional(),
  function: z
    .array(z.string())
    .default([])
    .transform((pairs) => Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s, 2))))
    .pipe(z.record(z.string().min(1), url)),
  'no-auth': z.boolean().default(false),
  'log-level': z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  help: z.boolean().default(false),
});

export type Arguments = z.output<typeof values>;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** What the command line says; undefined where that is wrong. */
export function readArguments(given: readonly string[]): Arguments | undefined {
  try {
    const { values: read } = parseArgs({
      args: [...given],
      options: {
        kubeconfig: text,
        context: text,
        port: text,
        address: text,
        manifests: text,
        listener: text,
        function: { type: 'string', multiple: true },
        'no-auth': flag,
        'log-level': text,
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values.safeParse({ ...read }).data;
  } catch {
    return undefined;
  }
}
