import { connect } from 'node:net';
import { join } from 'node:path';
import { lastingPort } from '../cloud/workload/lasting-ports.ts';
import { exists } from '../env/assets.ts';
import { findProgram, requireDebianProgram } from '../env/debian-packages.ts';
import { freePorts } from '../env/free-ports.ts';
import { waitFor } from '../env/wait-for.ts';
import type { CloudProcesses } from '../openstack/cloud-processes.ts';

const debianPackages = ['rabbitmq-server'] as const;
/** Debian's own start: the one in /usr/sbin changes the user first. */
const debianServer = '/usr/lib/rabbitmq/bin/rabbitmq-server';
const name = 'rabbitmq';

/** Paths of RabbitMQ's programs. */
interface Programs {
  readonly server: string;
  /** Erlang's port mapper, by which its nodes find each other. */
  readonly epmd: string;
}

export interface RabbitMq {
  /** `rabbit://…`, for oslo.messaging. */
  readonly transportUrl: string;
  /** Ends it as a power cut would; returns what starts it again with what it had stored. */
  kill(): Promise<() => Promise<void>>;
}

export interface RabbitMqOptions {
  readonly processes: CloudProcesses;
  /** Where it keeps its data. */
  readonly data: string;
  readonly onProgress: (line: string) => void;
}

/**
 * Starts RabbitMQ on the loopback interface and returns when it takes connections.
 * @throws {AssetError} in one sentence that says what to install.
 * @throws {ControlPlaneError} when it does not start, with the end of its log.
 */
export async function startRabbitMq({ processes, data, onProgress }: RabbitMqOptions): Promise<RabbitMq> {
  const programs = await requireRabbitMq(onProgress);
  const [epmdPort = 0] = await freePorts(1);
  const [port, distribution] = [await lastingPort(), await lastingPort()];
  const ready = (of: number, what: string) =>
    waitFor(() => reach(of), { what: `${what} to listen`, timeout: 120_000, signal: processes.signal });
  const epmd = { ERL_EPMD_ADDRESS: '127.0.0.1', ERL_EPMD_PORT: String(epmdPort) };
  // Before RabbitMQ, which else starts one of its own that nobody ends.
  processes.start({ name: 'epmd', command: programs.epmd, args: [], env: epmd });
  await ready(epmdPort, 'epmd');
  const env = { ...epmd, ...environment(data, { port, distribution }) };
  processes.start({ name, command: programs.server, args: [], env });
  await ready(port, name);
  return {
    transportUrl: `rabbit://guest:guest@127.0.0.1:${port}/`,
    async kill() {
      const startAgain = await processes.kill(name);
      return async () => {
        startAgain();
        await ready(port, name);
      };
    },
  };
}

function requireRabbitMq(onProgress: (line: string) => void): Promise<Programs> {
  const advice = `Install RabbitMQ (Debian's package ${debianPackages}): Magnum's API and conductor talk through it`;
  return requireDebianProgram({ packages: debianPackages, advice, find: findRabbitMq, onProgress });
}

async function findRabbitMq(): Promise<Programs | undefined> {
  const server = (await exists(debianServer)) ? debianServer : await findProgram('rabbitmq-server');
  const epmd = await findProgram('epmd');
  return server === undefined || epmd === undefined ? undefined : { server, epmd };
}

interface Ports {
  readonly port: number;
  /** Of Erlang's own protocol. */
  readonly distribution: number;
}

function environment(data: string, { port, distribution }: Ports): Readonly<Record<string, string>> {
  return {
    HOME: data,
    // Replaces the start script by the server itself, so that a signal reaches that.
    RUNNING_UNDER_SYSTEMD: 'yes',
    RABBITMQ_NODENAME: 'magnum@localhost',
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: data,
    RABBITMQ_LOG_BASE: data,
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(data, 'pid'),
    // None of the machine's own.
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    RABBITMQ_CONFIG_FILE: join(data, 'rabbitmq'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(data, 'enabled-plugins'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1} +S 1:1 +sbwt none',
  };
}

function reach(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = connect({ host: '127.0.0.1', port });
    connection.once('error', reject);
    connection.once('connect', () => {
      connection.destroy();
      resolve();
    });
  });
}
