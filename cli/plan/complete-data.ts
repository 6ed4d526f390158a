import { textAt } from '../../shared/status/views/json-part.ts';

const createType = 'org.openstack.magnum.cluster.create.v1';
const rotateType = 'org.openstack.magnum.cluster.credential.rotate.v1';

const placeholder = 'placeholder';
const pair = { certificate: placeholder, private_key: placeholder };

/**
 * Completes what a file may not hold: the token of the user who asks, from OS_TOKEN, and the authorities of a new cluster, of which
 * a plan shows nothing anyhow.
 */
export function completeData(
  type: string,
  data: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, unknown>> {
  if (type !== createType && type !== rotateType) return data;
  const { OS_TOKEN: token } = environment;
  const isMissing = textAt(data, 'context', 'token') === null && token !== undefined;
  const context = isMissing ? { context: { ...Object(data['context']), token } } : {};
  const isNew = type === createType && data['certificates'] === undefined && data['nodegroup'] === undefined;
  const certificates = isNew ? { certificates: { ca: pair, etcd: pair, front_proxy: pair, sa: pair } } : {};
  return { ...data, ...context, ...certificates };
}
