/** What a sender puts on the wire, but for what its HTTP library adds. */
export interface WireRequest {
  /** By lower-case name, values as they go over the wire. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const host = 'magnum-status.magnum-system.svc.cluster.local';

/** The bytes of a request as Go's net/http writes it: names in canonical case and in their order, after a few that come first. */
export function asGoWrites({ headers, body }: WireRequest): Buffer {
  const { 'user-agent': agent = 'Go-http-client/1.1', ...others } = headers;
  const lines = Object.entries(others).map(([name, value]) => `${canonical(name)}: ${value}`);
  const bytes = Buffer.from(body);
  const first = [`Host: ${host}`, `User-Agent: ${agent}`, `Content-Length: ${bytes.byteLength}`];
  return message([...first, ...lines.toSorted(), 'Accept-Encoding: gzip'], bytes);
}

/** The bytes of a request as Netty writes it below Vert.x: names as they were put, host and length last. */
export function asVertxWrites({ headers, body }: WireRequest): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const bytes = Buffer.from(body);
  return message([...lines, `content-length: ${bytes.byteLength}`, `host: ${host}`], bytes);
}

function message(headerLines: readonly string[], body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(['POST / HTTP/1.1', ...headerLines, '', ''].join('\r\n')), body]);
}

function canonical(name: string): string {
  return name
    .split('-')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('-');
}
