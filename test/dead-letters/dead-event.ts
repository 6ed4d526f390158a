import { randomUUID } from 'node:crypto';

export interface DeadEventOptions {
  /** @default a new one */
  readonly id?: string;
  /** Tells the events of a test from all others. */
  readonly source: string;
  /** @default of a report */
  readonly type?: string;
  readonly data?: unknown;
  /** @default the answer of a listener whose database is down */
  readonly failure?: Readonly<Record<string, string>>;
}

const cluster = 'a3f0b1c2-0000-4000-8000-000000000001';

export const report = {
  cluster_uuid: cluster,
  stack_id: 'kube-aaaaa',
  health_status: 'HEALTHY',
  health_status_reason: { api: 'ok' },
};

const answer = JSON.stringify({ code: 'unavailable', message: "Magnum's database cannot be used." });

export const listenerDown = {
  knativeerrordest: 'https://magnum-listener.example.org:8790/reports/the-secret-of-the-listener',
  knativeerrorcode: '503',
  knativeerrordata: Buffer.from(answer).toString('base64'),
};

/** An event as a broker of Knative sends it to the sink of dead letters. */
export function deadEvent({
  id = randomUUID(),
  source,
  type,
  data = report,
  failure = listenerDown,
}: DeadEventOptions) {
  return {
    specversion: '1.0',
    id,
    source,
    type: type ?? 'org.openstack.magnum.cluster.health.v1',
    subject: cluster,
    time: '2026-11-30T06:00:00.000Z',
    partitionkey: cluster,
    dataschema: 'urn:magnum-capi-functions:schema:org.openstack.magnum.cluster.health.v1',
    knativearrivaltime: '2026-11-30T06:00:01Z',
    knativebrokerttl: '253',
    ...failure,
    data,
  };
}
