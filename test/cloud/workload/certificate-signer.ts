import 'reflect-metadata';
import { createPrivateKey, type webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface CertificateSubject {
  readonly commonName: string;
  /** A group, where Kubernetes reads the certificate. */
  readonly organization?: string;
  /** DNS names beside localhost. @default none */
  readonly hosts?: readonly string[];
}

export interface CertificateSigner {
  /** A fresh key with a certificate for servers on this machine and for clients. */
  sign(subject: CertificateSubject): Promise<KeyPair>;
}

const leafAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const rsa = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' } as const;

/** As long as kubeadm's: a certificate that ends within `certificatesExpiryDays` is reason enough for a rollout. */
const lifetimeMs = 365 * 24 * 60 * 60 * 1000;
/** Clocks need not agree. */
const backdatedMs = 60_000;

/** @param authority Its key may be of RSA or of the curve P-256, in PKCS#1, SEC 1 or PKCS#8. */
export async function createSigner(authority: KeyPair): Promise<CertificateSigner> {
  const issuer = new x509.X509Certificate(authority.certificate);
  const { key, algorithm } = readPrivateKey(authority.privateKey);
  return {
    sign: async (subject) => {
      const keys = await crypto.subtle.generateKey(leafAlgorithm, true, ['sign', 'verify']);
      const certificate = await x509.X509CertificateGenerator.create({
        // As it is encoded: verifiers compare bytes, and its text does not tell UTF8String from PrintableString.
        issuer: issuer.subjectName,
        subject: [
          { CN: [subject.commonName] },
          ...(subject.organization === undefined ? [] : [{ O: [subject.organization] }]),
        ],
        notBefore: new Date(Date.now() - backdatedMs),
        notAfter: new Date(Date.now() + lifetimeMs),
        publicKey: keys.publicKey,
        signingKey: key,
        signingAlgorithm: algorithm,
        extensions: extensions(subject.hosts ?? []),
      });
      return { certificate: certificate.toString('pem'), privateKey: await exportKey(keys.privateKey) };
    },
  };
}

function extensions(hosts: readonly string[]): x509.Extension[] {
  const { digitalSignature, keyEncipherment } = x509.KeyUsageFlags;
  const names = ['localhost', ...hosts].map((value) => ({ type: 'dns', value }) as const);
  return [
    new x509.KeyUsagesExtension(digitalSignature | keyEncipherment, true),
    new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
    new x509.SubjectAlternativeNameExtension([...names, { type: 'ip', value: '127.0.0.1' }]),
  ];
}

function readPrivateKey(pem: string): {
  readonly key: webcrypto.CryptoKey;
  readonly algorithm: typeof rsa | typeof leafAlgorithm;
} {
  const key = createPrivateKey(pem);
  const algorithm = key.asymmetricKeyType === 'rsa' ? rsa : leafAlgorithm;
  return { key: key.toCryptoKey(algorithm, false, ['sign']), algorithm };
}

async function exportKey(key: webcrypto.CryptoKey): Promise<string> {
  return x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
