import { expect, test } from 'vitest';
import { readArguments } from './command-line.ts';

const defaults = { port: 8080, address: '127.0.0.1', function: {}, 'no-auth': false, 'log-level': 'warn', help: false };

test.each<[string, object | undefined]>([
  ['', defaults],
  ['-h', { ...defaults, help: true }],
  ['--port 0 --no-auth', { ...defaults, port: 0, 'no-auth': true }],
  ['--kubeconfig /k --context c --manifests m', { ...defaults, kubeconfig: '/k', context: 'c', manifests: 'm' }],
  [
    '--function status=http://a/?b=c --function health=https://d',
    { ...defaults, function: { status: 'http://a/?b=c', health: 'https://d' } },
  ],
  ['--listener http://magnum/ --log-level info', { ...defaults, listener: 'http://magnum/', 'log-level': 'info' }],
  ['--port 99999', undefined],
  ['--port x', undefined],
  ['--address localhost', undefined],
  ['--function status', undefined],
  ['--function =http://a', undefined],
  ['--listener magnum', undefined],
  ['--log-level loud', undefined],
  ['--unknown', undefined],
  ['extra', undefined],
])('npm start -- %s', (line, expected) => {
  expect(readArguments(line === '' ? [] : line.split(' '))).toEqual(expected);
});
