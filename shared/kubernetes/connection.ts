/** Where the API server is and how to prove who is calling; injected, since it differs between a pod and a laptop. */
export interface KubernetesConnection {
  /** `https://host:port`, perhaps with a path prefix; `http:` only for a server on this host, e.g. `kubectl proxy`. */
  readonly server: string;
  /** PEM. @default the certificate authorities that Node trusts */
  readonly caCertificate?: string | undefined;
  /** Name that the server's certificate must carry. @default the host of `server` */
  readonly serverName?: string | undefined;
  /** PEM. */
  readonly clientCertificate?: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /**
   * Bearer token, asked before each call.
   * @param rejected the token that the API server has just answered 401 to; a cache gives it no second time without looking.
   */
  readonly token?: ((rejected?: string) => Promise<string>) | undefined;
}
