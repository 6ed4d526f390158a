import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';
import { makeKeys, privateKeyOf, rsaAlgorithm } from './rsa-keys.ts';

const yearMs = 365 * 24 * 60 * 60 * 1000;
/** Magnum's authorities live for five years and may sign leaf certificates only (magnum-facts, Certificates). */
const lifetimeYears = 5;

interface CertificateAndKey {
  readonly certificate: string;
  readonly private_key: string;
}

export interface ClusterCertificates {
  readonly ca: CertificateAndKey;
  readonly etcd: CertificateAndKey;
  readonly front_proxy: CertificateAndKey;
  readonly sa: CertificateAndKey;
}

/** Fresh certificate authorities and a client pair like those that Magnum makes for each cluster, in PEM. */
export async function makeClusterCertificates(clusterName: string): Promise<ClusterCertificates> {
  const [ca, etcd, frontProxy] = await Promise.all([1, 2, 3].map(() => makeAuthority(clusterName)));
  if (ca === undefined || etcd === undefined || frontProxy === undefined)
    throw new Error('There are three authorities.');
  return {
    ca: await pair(ca),
    etcd: await pair(etcd),
    front_proxy: await pair(frontProxy),
    sa: await makeClientPair(ca),
  };
}

interface Authority {
  readonly certificate: x509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}

async function makeAuthority(clusterName: string): Promise<Authority> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: [{ CN: [clusterName] }],
    keys,
    signingAlgorithm: rsaAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return { certificate, keys };
}

async function makeClientPair(ca: Authority): Promise<CertificateAndKey> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(),
    subject: [{ CN: ['admin'] }, { O: ['system:masters'] }],
    issuer: ca.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: ca.keys.privateKey,
    signingAlgorithm: rsaAlgorithm,
  });
  return pair({ certificate, keys });
}

function validity() {
  return { notBefore: new Date(Date.now() - 60_000), notAfter: new Date(Date.now() + lifetimeYears * yearMs) };
}

async function pair({ certificate, keys }: Authority): Promise<CertificateAndKey> {
  return { certificate: certificate.toString('pem'), private_key: await privateKeyOf(keys) };
}
