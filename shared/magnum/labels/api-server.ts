import { apiServerCipherSuites, cipherSuite, kubeletCipherSuites } from '../syntax/cipher-suites.ts';
import { certificateName, httpsUrl, pluginName } from '../syntax/text-format.ts';
import { booleanLabel, countLabel, listLabel, textLabel } from './label-definition.ts';

/** The API server and the kubelets. */
export const apiServerLabels = {
  admission_control_list: listLabel({
    items: 'admission plugins',
    parse: pluginName,
    default: [],
    meaning: 'Admission plugins beside NodeRestriction, which is always on, and those that Kubernetes turns on itself.',
  }),
  api_server_cert_sans: listLabel({
    items: 'DNS names and IP addresses',
    parse: certificateName,
    default: [],
    meaning: "Further names in the API server's certificate.",
  }),
  api_server_tls_cipher_suites: listLabel({
    items: 'cipher suites',
    parse: cipherSuite,
    default: apiServerCipherSuites,
    meaning: 'TLS cipher suites of the API server, as Go names them.',
  }),
  kubelet_tls_cipher_suites: listLabel({
    items: 'cipher suites',
    parse: cipherSuite,
    default: kubeletCipherSuites,
    meaning: 'TLS cipher suites of the kubelets, as Go names them.',
  }),
  kubelet_serving_cert_verification_enabled: booleanLabel({
    default: false,
    meaning:
      "Whether the API server verifies the kubelets' certificates; something has to approve their requests (kubelet-serving CSRs).",
  }),
  audit_log_enabled: booleanLabel({
    default: false,
    meaning: 'Whether the API server writes an audit log on the masters.',
  }),
  audit_log_max_age: countLabel({
    unit: 'days',
    default: 30,
    meaning: 'How long audit logs are kept.',
  }),
  audit_log_max_backup: countLabel({
    unit: 'files',
    default: 10,
    meaning: 'How many old audit logs are kept.',
  }),
  audit_log_max_size: countLabel({
    unit: 'MB',
    default: 100,
    meaning: 'Size at which a new audit log is begun.',
  }),
  oidc_issuer_url: textLabel({
    type: 'https URL',
    parse: httpsUrl,
    default: null,
    meaning: 'OpenID Connect provider whose tokens the API server takes; turns the other `oidc_` labels on.',
  }),
  oidc_client_id: textLabel({
    default: '',
    shownDefault: 'required with `oidc_issuer_url`',
    meaning: 'Client id for which the tokens are issued.',
  }),
  oidc_username_claim: textLabel({
    default: 'sub',
    meaning: 'Claim that is the user name.',
  }),
  oidc_username_prefix: textLabel({
    default: '-',
    keepsEmpty: true,
    meaning: "Prefix of user names; `-` = none, empty = the issuer's URL.",
  }),
  oidc_groups_claim: textLabel({
    default: '',
    meaning: "Claim that lists the user's groups.",
  }),
  oidc_groups_prefix: textLabel({
    default: '',
    meaning: 'Prefix of group names.',
  }),
};
