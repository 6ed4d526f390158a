import { expect, test } from 'vitest';
import { className, contentOf, isClassOf } from './class-name.ts';

const hash = '0123abcd';

test.each([
  ['0.1.0', 'magnum-v0.1.0-0123abcd'],
  ['1.0.0-RC.1+build_7', 'magnum-v1.0.0-rc.1-build-7-0123abcd'],
])('the class of release %s is %s, and known by its name', (version, name) => {
  expect(className(version, hash)).toBe(name);
  expect(isClassOf(version, name)).toBe(true);
});

test.each([
  ['another release', 'magnum-v0.1.1-0123abcd'],
  ['a pre-release of it', 'magnum-v0.1.0-rc.1-0123abcd'],
  ['another driver', 'magnum-v0.1.0'],
  ['nothing that the driver made', 'magnum-v0.1.0-0123abcd-copy'],
])('a class of %s is none of release 0.1.0', (_title, name) => {
  expect(isClassOf('0.1.0', name)).toBe(false);
});

test.each([
  ['magnum-v0.1.0-0123abcd', '0123abcd'],
  ['magnum-v1.0.0-rc.1-build-7-0123abcd', '0123abcd'],
  ['magnum-v0.38.1', null],
  ['magnum-v0.38.1-12-g0123abc', null],
  ['magnum-v0.1.0-0123abcd-copy', null],
  ['my-class-0123abcd', null],
])('the name %s tells the content %s', (name, content) => {
  expect(contentOf(name)).toBe(content);
});
