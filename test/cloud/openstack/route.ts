import { ApiError, type ApiRequest, type Cloud, type Reply } from './api.ts';

export interface Route {
  readonly method: string;
  /** As `/images/{id}`. */
  readonly path: string;
  handle(request: ApiRequest, cloud: Cloud, parameters: Readonly<Record<string, string>>): Reply;
}

/** Answers with the first route of that path and method. @throws ApiError 404, 405 */
export function answerFrom(routes: readonly Route[], request: ApiRequest, cloud: Cloud): Reply {
  const candidates = routes.flatMap((route) => {
    const parameters = match(route.path, request.path);
    return parameters === undefined ? [] : [{ route, parameters }];
  });
  if (candidates.length === 0) throw new ApiError(404, 'The resource could not be found.');
  const found = candidates.find(({ route }) => route.method === request.method);
  if (found === undefined) throw new ApiError(405, 'The method is not allowed for this resource.');
  return found.route.handle(request, cloud, found.parameters);
}

function match(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? '';
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined ? segment !== value : value === '') return undefined;
    if (name !== undefined) parameters[name] = decode(value);
  }
  return parameters;
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ApiError(400, 'The URL is malformed.');
  }
}
