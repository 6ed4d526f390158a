import { getKeypair } from 'openstack-client-ts';
import { onBothClouds } from './both-clouds.ts';
import type { CloudUnderTest } from './cloud-under-test.ts';
import { keypair } from './content.ts';

function named(name: string) {
  return async ({ demo }: CloudUnderTest) => {
    const { publicKey, fingerprint, ...found } = await getKeypair(demo, name);
    return { ...found, isTheKey: publicKey === keypair.publicKey && fingerprint === keypair.fingerprint };
  };
}

onBothClouds([
  { title: 'a keypair is found', ask: named('mykey'), answer: { name: 'mykey', isTheKey: true } },
  { title: 'a name with a space is found', ask: named('my key'), answer: { name: 'my key', isTheKey: true } },
  {
    title: 'a name with @ and dots is found',
    ask: named('me@home.example'),
    answer: { name: 'me@home.example', isTheKey: true },
  },
  {
    title: 'a name that begins with a dot is found',
    ask: named('.hidden'),
    answer: { name: '.hidden', isTheKey: true },
  },
  {
    title: 'an unknown keypair is named',
    ask: named('none'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "none".',
  },
  {
    title: "another user's keypair is not there",
    ask: named('foreign'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "foreign".',
  },
  {
    title: 'a slash is part of the name',
    ask: named('a/b'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "a/b".',
  },
  {
    title: 'a question mark is part of the name',
    ask: named('mykey?x=y'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "mykey?x=y".',
  },
  {
    title: 'a percent sign is part of the name',
    ask: named('my%20key'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "my%20key".',
  },
  { title: 'another case is another name', ask: named('MYKEY'), answer: { name: 'mykey', isTheKey: true } },
  { title: 'a space behind the name is another name', ask: named('mykey '), answer: { name: 'mykey', isTheKey: true } },
  {
    title: 'characters beyond the basic plane are just not found',
    ask: named('mykey 😀'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "mykey 😀".',
  },
  {
    title: 'a long name is just not found',
    ask: named('x'.repeat(255)),
    answer:
      'NotFoundError not_found -: There is no keypair with the name or id "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…".',
  },
  {
    title: 'a reader has none of that name',
    ask: ({ session }) => getKeypair(session('viewer'), 'mykey'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "mykey".',
  },
  {
    title: 'a user without a known role has none of that name',
    ask: ({ session }) => getKeypair(session('stranger'), 'mykey'),
    answer: 'NotFoundError not_found -: There is no keypair with the name or id "mykey".',
  },
]);
