import { type ApiCall, Caller } from '../../shared/kubernetes/caller.ts';

/**
 * Makes calls that change nothing: whatever is no GET asks the API server to carry it out but for storing it. What cannot be asked
 * so is not sent.
 */
export class DryRunCaller extends Caller {
  override call<Body>(call: ApiCall): Promise<Body> {
    return super.call<Body>(call.method === 'GET' ? call : dryRun(call));
  }
}

/** Dry run stands in the query, and of a DELETE also in the body: where there is one, the API server does not look at the query. */
function dryRun(call: ApiCall): ApiCall {
  const path = `${call.path}${call.path.includes('?') ? '&' : '?'}dryRun=All`;
  if (call.method !== 'DELETE') return { ...call, path };
  const options: unknown = JSON.parse(call.body ?? '{}');
  return { ...call, path, body: JSON.stringify({ ...Object(options), dryRun: ['All'] }) };
}
