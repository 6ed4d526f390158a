import { readdirSync, readFileSync } from 'node:fs';
import type { LogFields } from './log-fields.ts';

/** What stands in each line, from the logger itself and from the trace of its event. */
type EveryLine = 'level' | 'time' | 'msg' | 'trace_id' | 'span_id';

interface Field {
  readonly type: string;
  /** In which lines it stands. */
  readonly when: string;
  readonly meaning: string;
}

const ofEvent = 'lines of an event';
const ended = 'line `event`';
const resync = 'line `all clusters were looked at again`';
const local = 'lines of the system in one process (`npm start`)';

const fields: Readonly<Record<EveryLine | keyof LogFields, Field>> = {
  level: { type: 'text', when: 'every line', meaning: '`debug`, `info`, `warn`, `error` or `fatal`' },
  time: { type: 'RFC 3339, UTC', when: 'every line', meaning: 'when it was written' },
  msg: {
    type: 'text',
    when: 'every line',
    meaning: 'what it tells; the same words each time, so that they can be searched for',
  },
  trace_id: {
    type: '32 hexadecimal digits',
    when: 'lines of an event that has a trace, or of which one is recorded',
    meaning: 'its trace; as a UUID behind `req-` it is the id of the request in the logs of Magnum',
  },
  span_id: {
    type: '16 hexadecimal digits',
    when: 'with `trace_id`',
    meaning: 'the span that the line belongs to; that of the sender where nothing is recorded',
  },
  function: { type: 'text', when: ofEvent, meaning: 'as in its Service: `create`' },
  event_id: {
    type: 'text',
    when: ofEvent,
    meaning: '`id` of the CloudEvent. An operation that is sent again has the same',
  },
  cluster: {
    type: 'UUID',
    when: ofEvent,
    meaning: '`subject` of the CloudEvent: the cluster in Magnum; empty for those of a Knative source',
  },
  event_type: { type: 'text', when: `${ended}, lines about one event`, meaning: '`type` of the CloudEvent' },
  outcome: {
    type: 'text',
    when: ended,
    meaning:
      '`accepted`, `rejected` (answered with a refusal), `ignored` (nothing to say), `busy` (429), `unavailable` (503), `invalid` (400, 413), `unauthenticated` (401), `forbidden` (403) or `failed` (503: a defect)',
  },
  status: { type: 'number', when: ended, meaning: 'the HTTP status of the answer' },
  code: {
    type: 'text',
    when: `${ended} of what is refused, lines about dead letters`,
    meaning: 'an error code of [events.md](events.md); of a dead letter the status that it was refused with',
  },
  duration_ms: { type: 'number', when: ended, meaning: 'from the arrival of the event to its answer' },
  kubernetes_calls: {
    type: 'number',
    when: ended,
    meaning: 'requests to the management cluster for this event, repeated ones too, those of authorisation not',
  },
  openstack_calls: { type: 'number', when: ended, meaning: 'requests to the cloud for this event' },
  reason: { type: 'text', when: 'lines of what is no success and no defect', meaning: 'why, in a sentence' },
  err: {
    type: 'object',
    when: 'lines of what went wrong',
    meaning: '`type`, `message`, `stack`, and `code` and `cause` where it has them',
  },
  stack_id: { type: 'text', when: 'lines about one cluster', meaning: 'name of the Cluster: `kube-abcde`' },
  cluster_class: { type: 'text', when: 'lines about a ClusterClass', meaning: 'its name' },
  remaining: {
    type: 'list of texts',
    when: 'line `a deleted cluster leaves something behind`',
    meaning: 'what stays in the cloud',
  },
  told: { type: 'text', when: 'line `a replaced credential stays`', meaning: 'which, and why' },
  clusters: { type: 'number', when: resync, meaning: 'how many there are' },
  reported: {
    type: 'number',
    when: `${resync}, line \`the health of some clusters was not reported\``,
    meaning: 'clusters whose report was posted',
  },
  known: { type: 'number', when: resync, meaning: 'clusters of which nothing was new' },
  failed: {
    type: 'number',
    when: `${resync}, line \`the health of some clusters was not reported\``,
    meaning: 'clusters that could not be looked at, or reported',
  },
  unreached: { type: 'number', when: resync, meaning: 'clusters that the time did not suffice for' },
  letter: {
    type: 'text',
    when: 'line `an event could not be delivered`',
    meaning: 'ConfigMap that keeps the dead letter',
  },
  destination: { type: 'URL', when: 'line `an event could not be delivered`', meaning: 'who has not taken it' },
  port: { type: 'number', when: 'line `listening`', meaning: 'where events are taken' },
  functions: { type: 'list of texts', when: 'line `listening`', meaning: 'paths that take events' },
  signal: { type: 'text', when: 'line `stopping`', meaning: '`SIGTERM` or `SIGINT`' },
  variables: {
    type: 'list of texts',
    when: 'line `the environment of the function is not complete`',
    meaning: 'the variables that are missing or wrong, and why',
  },
  apiVersion: { type: 'text', when: local, meaning: 'of a kind that is watched' },
  kind: { type: 'text', when: local, meaning: 'a kind that is watched' },
  subject: { type: 'text', when: local, meaning: '`subject` of an event' },
  trigger: { type: 'text', when: local, meaning: 'name of a Trigger' },
};

const introduction = `# Log

This page is generated from \`shared/host/log-fields-document.ts\` and from the shim's sources.

## Functions

A function writes one JSON object a line to its standard output. Each event has one line \`event\` that tells how it ended; where something goes
wrong on the way, there are lines of their own before it. What looks like a token, a password or a private key is replaced by \`[redacted]\`, and the
data of events is never logged.

| field | type | in which lines | meaning |
|---|---|---|---|
`;

const shimIntroduction = `
## Shim

The driver and \`magnum-capi-listener\` write lines of text by oslo.log, among those of Magnum's own services and in their form. What stands in brackets
before the text is the id of the request: in a line about an operation that of the user's request, in the listener's lines about a report the
trace that the report is part of, in the same form. \`%s\` and \`%d\` stand for what changes.

| level | module | text |
|---|---|---|
`;

/** docs/logs.md. */
export function logsDocument(): string {
  const rows = Object.entries(fields).map(
    ([name, { type, when, meaning }]) => `| \`${name}\` | ${type} | ${when} | ${meaning} |\n`,
  );
  return `${introduction}${rows.join('')}${shimIntroduction}${shimLines().join('')}`;
}

const shimFolder = new URL('../../shim/magnum_capi_functions/', import.meta.url);
/** The text is missing where it is no literal. */
const logCall = /\bLOG\.(?<level>\w+)\(\s*(?:level,\s*)?(?:"(?<text>(?:[^"\\]|\\.)*)")?/g;
const levels: Readonly<Record<string, string>> = { exception: 'error', log: 'any' };

/** A row for each call that writes a line, from the sources. */
function shimLines(): readonly string[] {
  const modules = readdirSync(shimFolder)
    .filter((name) => name.endsWith('.py'))
    .toSorted();
  const rows = modules.flatMap((module) =>
    [...readFileSync(new URL(module, shimFolder), 'utf8').matchAll(logCall)].map(({ groups }) => {
      const { level = '', text = '%s' } = groups ?? {};
      return `| ${levels[level] ?? level} | \`${module.replace('.py', '')}\` | ${shown(text)} |\n`;
    }),
  );
  return [...new Set(rows)];
}

function shown(text: string): string {
  const line = text.replaceAll('\\n', ' ').trim();
  return line === '%s' ? 'a sentence' : `\`${line}\``;
}
