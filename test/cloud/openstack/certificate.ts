import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const dayMs = 24 * 60 * 60 * 1000;

export interface ServerCertificate {
  /** PEM of the private certificate authority. */
  readonly caCertificate: string;
  readonly certificate: string;
  readonly privateKey: string;
}

/** A certificate for 127.0.0.1 only, signed by a certificate authority made for it alone. */
export async function makeServerCertificate(): Promise<ServerCertificate> {
  const caKeys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    name: 'CN=Simulated OpenStack CA',
    keys: caKeys,
    signingAlgorithm: algorithm,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity,
    subject: 'CN=Simulated OpenStack',
    issuer: ca.subject,
    publicKey: keys.publicKey,
    signingKey: caKeys.privateKey,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const exported = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  const privateKey = x509.PemConverter.encode(exported, 'PRIVATE KEY');
  return { caCertificate: ca.toString('pem'), certificate: certificate.toString('pem'), privateKey };
}
