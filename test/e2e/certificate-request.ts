import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

const algorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;

/** A new key and a request for a certificate of it, in PEM. @param name as `CN=somebody,O=system:masters` */
export async function requestCertificate(
  name: string,
): Promise<{ readonly request: string; readonly privateKey: string }> {
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: algorithm });
  const bytes = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { request: request.toString('pem'), privateKey: x509.PemConverter.encode(bytes, 'PRIVATE KEY') };
}
