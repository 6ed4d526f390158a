import type { ApiServerIntent, AuditLogIntent, KubeletIntent, OidcIntent } from '../cluster-intent.ts';
import type { LabelReader } from '../reading/label-reader.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';
import { kubernetesMinor } from '../syntax/kubernetes-version.ts';
import { hasLoadBalancer } from './control-plane.ts';

export function apiServerIntent(reading: ClusterReading, version: string): ApiServerIntent {
  const { cluster, template, labels } = reading;
  return {
    loadBalancer: {
      enabled: hasLoadBalancer(cluster, template),
      provider: labels.read('octavia_provider'),
      flavor: labels.read('api_server_lb_flavor'),
      availabilityZone: labels.read('api_server_lb_availability_zone'),
    },
    floatingIpEnabled: labels.read('master_lb_floating_ip_enabled'),
    floatingIp: labels.read('api_server_floating_ip'),
    certSans: labels.read('api_server_cert_sans'),
    tlsCipherSuites: labels.read('api_server_tls_cipher_suites').join(','),
    admissionPlugins: admissionPlugins(reading, version),
    oidc: oidcIntent(reading),
    auditLog: auditLogIntent(labels),
    keystoneAuth: labels.read('keystone_auth_enabled'),
  };
}

export function kubeletIntent(labels: LabelReader): KubeletIntent {
  return {
    tlsCipherSuites: labels.read('kubelet_tls_cipher_suites').join(','),
    servingCertVerification: labels.read('kubelet_serving_cert_verification_enabled'),
  };
}

/** Plugins of old Magnum templates, with the minor release that no longer has them: the API server would not start. */
const removedPlugins = [
  ['PodSecurityPolicy', 25],
  ['SecurityContextDeny', 30],
] as const;

function admissionPlugins({ labels, faults }: ClusterReading, version: string): readonly string[] {
  const plugins = labels.read('admission_control_list');
  const removed = removedPlugins.filter(([name, minor]) => plugins.includes(name) && kubernetesMinor(version) >= minor);
  for (const [name, minor] of removed) {
    faults.add(labels.subject('admission_control_list'), `: Kubernetes v1.${minor} and later have no ${name}`);
  }
  return [...new Set(['NodeRestriction', ...plugins])];
}

/** The API server refuses an issuer without a client id. */
function oidcIntent({ labels, faults }: ClusterReading): OidcIntent | null {
  const issuerUrl = labels.read('oidc_issuer_url');
  if (issuerUrl === null) return null;
  const clientId = labels.read('oidc_client_id');
  if (clientId === '') faults.add(labels.subject('oidc_client_id'), ' is missing although oidc_issuer_url is set');
  return {
    issuerUrl,
    clientId,
    usernameClaim: labels.read('oidc_username_claim'),
    usernamePrefix: labels.read('oidc_username_prefix'),
    groupsClaim: labels.read('oidc_groups_claim'),
    groupsPrefix: labels.read('oidc_groups_prefix'),
  };
}

function auditLogIntent(labels: LabelReader): AuditLogIntent | null {
  if (!labels.read('audit_log_enabled')) return null;
  return {
    maxAge: String(labels.read('audit_log_max_age')),
    maxBackup: String(labels.read('audit_log_max_backup')),
    maxSize: String(labels.read('audit_log_max_size')),
  };
}
