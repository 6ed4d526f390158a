import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import type { KeyPair } from './certificate-signer.ts';
import type { ClusterAuthorities } from './workload-cluster.ts';

const algorithms = {
  ECDSA: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', publicExponent: new Uint8Array([1, 0, 1]), modulusLength: 2048 },
} as const;

const dayMs = 24 * 60 * 60 * 1000;

/** How a name is encoded: by Go as a PrintableString, by Python as a UTF8String. */
type NameEncoding = 'printableString' | 'utf8String';

/** Fresh authorities such as Magnum or Cluster API gives a cluster; with ECDSA in milliseconds. */
export async function makeAuthorities(
  name: string,
  algorithm: keyof typeof algorithms,
  encoding: NameEncoding = 'printableString',
): Promise<ClusterAuthorities> {
  const make = () => makeAuthority(new x509.Name([{ CN: [{ [encoding]: name }] }]), algorithm);
  const [ca, etcd, frontProxy, serviceAccount] = await Promise.all([make(), make(), make(), make()]);
  return { ca, etcd, frontProxy, serviceAccount };
}

async function makeAuthority(name: x509.Name, algorithm: keyof typeof algorithms): Promise<KeyPair> {
  const signingAlgorithm = algorithms[algorithm];
  const keys: webcrypto.CryptoKeyPair = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    keys,
    signingAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  const privateKey = x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
  return { certificate: certificate.toString('pem'), privateKey };
}
