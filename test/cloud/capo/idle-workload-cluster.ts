import type { WorkloadCluster } from '../workload/workload-cluster.ts';

let ports = 6443;

/** A workload cluster of which nothing is there but its endpoint; the log says what its machines were told. */
export function createIdleWorkloadCluster(machineLog: string[]): WorkloadCluster {
  const endpoint = { host: '127.0.0.1', port: ports };
  ports += 1;
  const told = (what: string) => async (name: string) => void machineLog.push(`${what} ${name}`);
  const boot = told('boot');
  return {
    endpoint,
    access: { server: `https://127.0.0.1:${endpoint.port}`, caCertificate: '', clientCertificate: '', clientKey: '' },
    boot: ({ name }) => boot(name),
    powerOff: told('power off'),
    kill: told('kill'),
    revive: told('revive'),
    pauseApi: () => undefined,
    resumeApi: () => undefined,
    stop: async () => void machineLog.push('stop'),
  };
}
