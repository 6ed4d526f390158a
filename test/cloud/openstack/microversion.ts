import { ApiError, type ApiRequest, type Cloud } from './api.ts';

/** Minor number of the compute microversion that a request asks for; 1 without one, as in Nova. @throws ApiError 400, 406 */
export function minorVersion(request: ApiRequest, cloud: Cloud): number {
  const asked = askedVersion(request);
  if (asked === undefined) return 1;
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(asked) ?? [];
  const newest = cloud.computeMicroversion;
  if (minor === undefined) {
    const form = 'Must be of format MajorNum.MinorNum.';
    throw new ApiError(400, `API Version String ${asked} is of invalid format. ${form}`);
  }
  if (major !== '2' || Number(minor) < 1 || Number(minor) > Number(newest.split('.')[1])) {
    const range = `Minimum is 2.1 and maximum is ${newest}.`;
    throw new ApiError(406, `Version ${asked} is not supported by the API. ${range}`);
  }
  return Number(minor);
}

function askedVersion({ headers }: ApiRequest): string | undefined {
  const standard = headers['openstack-api-version'];
  if (typeof standard === 'string') {
    const named = standard.split(',').find((part) => part.trim().startsWith('compute '));
    if (named !== undefined) return named.trim().slice('compute '.length);
  }
  const legacy = headers['x-openstack-nova-api-version'];
  return typeof legacy === 'string' ? legacy : undefined;
}
