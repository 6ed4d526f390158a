import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import { PemConverter } from '@peculiar/x509';

/** As Magnum's own certificates have it (magnum-facts, Certificates). */
export const rsaAlgorithm = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: 2048,
} as const;

export function makeKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(rsaAlgorithm, true, ['sign', 'verify']);
}

/** In PEM. */
export async function privateKeyOf({ privateKey }: webcrypto.CryptoKeyPair): Promise<string> {
  return PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY');
}
