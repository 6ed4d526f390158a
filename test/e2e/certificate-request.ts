import 'reflect-metadata';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { makeKeys, privateKeyOf, rsaAlgorithm } from '../functions/rsa-keys.ts';

/** A new key and a request for a certificate of it, in PEM. @param name as `CN=somebody,O=system:masters` */
export async function requestCertificate(
  name: string,
): Promise<{ readonly request: string; readonly privateKey: string }> {
  const keys = await makeKeys();
  const request = await Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: rsaAlgorithm });
  return { request: request.toString('pem'), privateKey: await privateKeyOf(keys) };
}
