import 'reflect-metadata';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { expect, test } from 'vitest';
import { createSigner } from './certificate-signer.ts';
import { makeAuthorities } from './example-authorities.ts';

test.each(['ECDSA', 'RSA'] as const)(
  'an authority of %s signs certificates that it is recognised by',
  async (algorithm) => {
    const { ca } = await makeAuthorities('kube-abcde', algorithm);
    const signer = await createSigner(ca);
    const pair = await signer.sign({
      commonName: 'kubernetes-admin',
      organization: 'system:masters',
      hosts: ['node-1'],
    });
    const certificate = new X509Certificate(pair.certificate);
    expect(certificate.verify(new X509Certificate(ca.certificate).publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(pair.privateKey))).toBe(true);
    expect(certificate.subject).toBe('CN=kubernetes-admin\nO=system:masters');
    expect(certificate.subjectAltName).toBe('DNS:localhost, DNS:node-1, IP Address:127.0.0.1');
    expect(certificate.ca).toBe(false);
  },
);

test('a certificate names its authority byte for byte, also one of Magnum, whose name is a UTF8String', async () => {
  const { ca } = await makeAuthorities('kube-abcde', 'ECDSA', 'utf8String');
  const pair = await (await createSigner(ca)).sign({ commonName: 'a' });
  const [issuer, authority] = [pair, ca].map(({ certificate }) => new x509.X509Certificate(certificate));
  expect(Buffer.from(issuer!.issuerName.toArrayBuffer())).toEqual(Buffer.from(authority!.subjectName.toArrayBuffer()));
});

test('the key of an authority may be in the format of OpenSSL 1', async () => {
  const { ca } = await makeAuthorities('kube-abcde', 'RSA');
  const privateKey = createPrivateKey(ca.privateKey).export({ type: 'pkcs1', format: 'pem' }).toString();
  await expect((await createSigner({ ...ca, privateKey })).sign({ commonName: 'a' })).resolves.toBeDefined();
});

test('a key that is none is refused', async () => {
  const { ca } = await makeAuthorities('kube-abcde', 'ECDSA');
  await expect(createSigner({ ...ca, privateKey: 'no key' })).rejects.toThrow();
});
