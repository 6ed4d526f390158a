import { dump } from 'js-yaml';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { FunctionStage } from '../functions/function-stage.ts';

/** Whose add-ons they are. */
interface OriginalCluster {
  readonly stackId: string;
  readonly uuid: string;
  /** By which its workload signs in. */
  readonly credential: { readonly id: string; readonly secret: string };
}

const kubeSystem = 'kube-system';

/** The resource set by which the original driver brings the cloud integrations, with less in them. */
export async function createOriginalAddons({ kubernetes }: FunctionStage, cluster: OriginalCluster): Promise<string> {
  const name = `${cluster.stackId}-cloud-provider`;
  const files = originalFiles(cluster);
  const encoded = Object.entries(files).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  await kubernetes.create(resources.secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    type: 'addons.cluster.x-k8s.io/resource-set',
    data: Object.fromEntries(encoded),
  });
  await kubernetes.create(resources.clusterResourceSet, {
    metadata: { name, namespace },
    spec: {
      clusterSelector: { matchLabels: { 'cluster-uuid': cluster.uuid } },
      resources: [{ kind: 'Secret', name }],
      strategy: 'Reconcile',
    },
  });
  return name;
}

/** As the original writes them: several documents a file, plain texts, comments, modes in octal. */
function originalFiles({ credential }: OriginalCluster): Record<string, string> {
  const cloudConf = [
    '[Global]',
    'auth-url=http://127.0.0.1:5000/v3',
    'region=RegionOne',
    `application-credential-id=${credential.id}`,
    `application-credential-secret=${credential.secret}`,
    'tls-insecure=false',
    '',
    '[LoadBalancer]',
    'lb-provider=amphorav2',
    'lb-method=ROUND_ROBIN',
    'create-monitor=True',
    '',
  ].join('\n');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'cloud-config', namespace: kubeSystem } };
  const manila = { ...secret, metadata: { name: 'csi-manila-secrets', namespace: kubeSystem } };
  const manilaAccess = {
    'os-authURL': 'http://127.0.0.1:5000',
    'os-applicationCredentialID': credential.id,
    'os-applicationCredentialSecret': credential.secret,
  };
  const account = `# Source: templates/account.yaml\napiVersion: v1\nkind: ServiceAccount\nmetadata:\n  name: cloud\n  namespace: ${kubeSystem}\n`;
  return {
    'cinder-csi.yaml': [
      account,
      workload('Deployment', 'csi-cinder-controllerplugin'),
      workload('DaemonSet', 'csi-cinder-nodeplugin'),
    ].join('---\n'),
    'cloud-config-secret.yaml': dump({ ...secret, stringData: { 'cloud.conf': cloudConf, 'ca.crt': '' } }),
    'cloud-controller-manager.yaml': `---\n${workload('DaemonSet', 'openstack-cloud-controller-manager')}`,
    'manila-csi-secret.yaml': dump({ ...manila, stringData: manilaAccess }),
  };
}

function workload(kind: 'DaemonSet' | 'Deployment', name: string): string {
  return `apiVersion: apps/v1
kind: ${kind}
metadata:
  name: ${name}
  namespace: ${kubeSystem}
spec:
  selector:
    matchLabels: {app: ${name}}
  template:
    metadata:
      labels: {app: ${name}}
    spec:
      containers:
        - name: main
          image: example.org/${name}:v1
      volumes:
        - name: config
          secret:
            secretName: cloud-config
            defaultMode: 0644
`;
}
