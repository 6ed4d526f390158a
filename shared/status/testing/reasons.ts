import { deriveStatus } from '../derive-status.ts';
import type { Observed } from '../observed.ts';
import { machine, master, now, observed, openStackServer, provisioning, severe } from './objects.ts';

export const late = machine('w', { said: provisioning });
export const quota = 'Quota exceeded for cores: Requested 4, but already used 20 of 20 cores';
export const failed = (message: string) => [severe('InstanceReady', 'InstanceCreateFailed', message)];
export const inError = openStackServer('w', {
  instanceID: 'i-1',
  instanceState: 'ERROR',
  conditions: [severe('Ready', 'InstanceStateError', ''), severe('InstanceReady', 'InstanceStateError', '')],
});

export function reasons(changes: Partial<Observed>) {
  const report = deriveStatus(observed({ machines: [master, late], ...changes }), { now, magnum: null })?.report;
  const ofNodegroup = (name: string) => report?.nodegroups.find((one) => one.name === name)?.status_reason ?? null;
  return {
    cluster: report?.status_reason ?? null,
    worker: ofNodegroup('default-worker'),
    master: ofNodegroup('default-master'),
  };
}
