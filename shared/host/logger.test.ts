import { expect, test } from 'vitest';
import { createLogger, type LoggerSettings } from './logger.ts';

function logTo(lines: Record<string, unknown>[], settings: LoggerSettings = {}) {
  return createLogger<Record<string, unknown>>({
    ...settings,
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
}

test('a line has its level as a word, its time, and the fields of its logger', () => {
  const lines: Record<string, unknown>[] = [];
  logTo(lines, { fields: { revision: 'create-00001' } })
    .child({ event_id: 'e' })
    .warn({ n: 1 }, 'text');
  expect(lines).toEqual([
    {
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      revision: 'create-00001',
      event_id: 'e',
      n: 1,
      msg: 'text',
    },
  ]);
});

test('lines below the level are not written', () => {
  const lines: Record<string, unknown>[] = [];
  const log = logTo(lines, { level: 'error' });
  log.info({}, 'quiet');
  log.error({}, 'loud');
  expect(lines).toMatchObject([{ msg: 'loud' }]);
});

test('no part of a line shows a secret', () => {
  const lines: Record<string, unknown>[] = [];
  const log = logTo(lines, { fields: { token: 's3cr3t' } }).child({ password: 's3cr3t', note: 'token=s3cr3t' });
  log.error(
    { err: new Error('Bearer s3cr3t', { cause: new Error('secret: s3cr3t') }), authorization: 's3cr3t' },
    'password=s3cr3t',
  );
  log.info({ a: { b: { private_key: ['s3cr3t'] } } }, '100%s');
  expect(lines).toHaveLength(2);
  expect(JSON.stringify(lines)).not.toContain('s3cr3t');
  expect(lines[1]).toMatchObject({ msg: '100%s' });
});

test('a field that is not documented does not compile, however it comes', () => {
  const log = createLogger({ level: 'silent' });
  const documented = { outcome: 'accepted' };
  log.info(documented, 'text');
  const more = { ...documented, undocumented: 1 };
  // @ts-expect-error an object is checked wherever it was made
  log.info(more, 'text');
  // @ts-expect-error as is one that is written in place
  log.child({ undocumented: 1 });
});
