import { describe, expect, test } from 'vitest';
import type { ApiServerIntent, Taint } from '../../shared/magnum/cluster-intent.ts';
import type { ComputedCluster } from './computed-cluster.ts';
import { exampleIntent, exampleNodegroup } from './example-intent.ts';
import { computeAll } from './topology-stage.ts';

const apiServer = (changes: Partial<ApiServerIntent>) => ({ apiServer: { ...exampleIntent().apiServer, ...changes } });

const imageRepository = 'registry.example.com/mirror';
const nodeLabels = { 'example.com/disk': '1e3', plain: '' };
const nodeTaints: readonly Taint[] = [
  { key: 'gpu', value: 'true', effect: 'NoSchedule' },
  { key: 'null', value: '', effect: 'NoExecute' },
];
const oidc = {
  issuerUrl: 'https://id.example.com/#a: b',
  clientId: 'null',
  usernameClaim: 'sub',
  usernamePrefix: '-',
  groupsClaim: 'grüße',
  groupsPrefix: "yes:'",
};

const computed = computeAll({
  plain: {
    intent: {
      ...apiServer({ keystoneAuth: false, tlsCipherSuites: '', admissionPlugins: [] }),
      kubelet: { tlsCipherSuites: '', servingCertVerification: false },
    },
  },
  'all features': {
    intent: {
      ...apiServer({
        oidc,
        auditLog: { maxAge: '7', maxBackup: '3', maxSize: '50' },
        certSans: ['api.example.com', '203.0.113.9', 'api.example.com'],
        admissionPlugins: ['NodeRestriction', 'AlwaysPullImages'],
      }),
      kubelet: { tlsCipherSuites: 'TLS_A,TLS_B', servingCertVerification: true },
      workers: [
        exampleNodegroup({ nodeLabels, nodeTaints }),
        exampleNodegroup({
          name: 'scaled',
          size: { kind: 'autoscaled', minimum: 1, maximum: 4 },
          autoHealing: false,
          imageRepository,
        }),
      ],
    },
  },
  'without groups': { intent: apiServer({ oidc: { ...oidc, groupsClaim: '', groupsPrefix: '' } }) },
  'a mirror and no healing': {
    intent: {
      imageRepository,
      controlPlane: { ...exampleIntent().controlPlane, autoHealing: false },
      workers: [exampleNodegroup({ autoHealing: false, imageRepository })],
    },
  },
  'Kubernetes 1.32': { intent: { kubernetesVersion: 'v1.32.9' } },
  'Kubernetes 1.31': { intent: { kubernetesVersion: 'v1.31.14' } },
  'a pre-release of 1.30': { intent: { kubernetesVersion: 'v1.30.0-rc.1' } },
  'Kubernetes 1.29': { intent: { kubernetesVersion: 'v1.29.15' } },
  'a pre-release of 1.33': { intent: { kubernetesVersion: 'v1.33.0-rc.1' } },
});

type Row = readonly [string, string, (computed: ComputedCluster) => unknown, unknown];
const everyNode = ({ controlPlane, nodegroups }: ComputedCluster) => [controlPlane, ...Object.values(nodegroups)];

describe('the API server', () => {
  const flag = (situation: string, name: string, value: unknown): Row => [
    situation,
    `--${name}`,
    ({ controlPlane }) => controlPlane.apiServer[name],
    value,
  ];

  test.each<Row>([
    flag('plain', 'profiling', 'false'),
    flag('plain', 'enable-admission-plugins', undefined),
    flag('all features', 'enable-admission-plugins', 'NodeRestriction,AlwaysPullImages'),
    flag('plain', 'tls-cipher-suites', undefined),
    flag('all features', 'tls-cipher-suites', exampleIntent().apiServer.tlsCipherSuites),
    flag('plain', 'cloud-provider', undefined),
    flag('a pre-release of 1.33', 'cloud-provider', undefined),
    flag('Kubernetes 1.32', 'cloud-provider', 'external'),
    flag('plain', 'oidc-issuer-url', undefined),
    flag('all features', 'oidc-issuer-url', oidc.issuerUrl),
    flag('all features', 'oidc-client-id', oidc.clientId),
    flag('all features', 'oidc-username-claim', 'sub'),
    flag('all features', 'oidc-username-prefix', '-'),
    flag('all features', 'oidc-groups-claim', oidc.groupsClaim),
    flag('all features', 'oidc-groups-prefix', oidc.groupsPrefix),
    flag('without groups', 'oidc-client-id', oidc.clientId),
    flag('without groups', 'oidc-groups-claim', undefined),
    flag('without groups', 'oidc-groups-prefix', undefined),
    flag('plain', 'audit-policy-file', undefined),
    flag('plain', 'audit-log-path', undefined),
    flag('all features', 'audit-policy-file', '/etc/kubernetes/audit-policy/apiserver-audit-policy.yaml'),
    flag('all features', 'audit-log-path', '/var/log/audit/kube-apiserver-audit.log'),
    flag('all features', 'audit-log-maxage', '7'),
    flag('all features', 'audit-log-maxbackup', '3'),
    flag('all features', 'audit-log-maxsize', '50'),
    flag('plain', 'kubelet-certificate-authority', undefined),
    flag('all features', 'kubelet-certificate-authority', '/etc/kubernetes/pki/ca.crt'),
    flag('all features', 'authorization-mode', undefined),
    flag('plain', 'authorization-mode', undefined),
    flag('all features', 'authorization-config', '/etc/kubernetes/webhooks/authorization.json'),
    flag('all features', 'authentication-token-webhook-config-file', '/etc/kubernetes/webhooks/webhookconfig.yaml'),
    flag('all features', 'authentication-token-webhook-version', 'v1beta1'),
    flag('Kubernetes 1.29', 'authorization-config', undefined),
    flag('Kubernetes 1.29', 'authorization-mode', 'Node,RBAC,Webhook'),
    flag('Kubernetes 1.29', 'authorization-webhook-config-file', '/etc/kubernetes/webhooks/webhookconfig.yaml'),
    flag('Kubernetes 1.29', 'authorization-webhook-version', 'v1beta1'),
    flag('plain', 'authorization-config', undefined),
    flag('plain', 'authentication-token-webhook-config-file', undefined),
    flag('plain', 'authentication-token-webhook-version', undefined),
  ])('with %s has this %s: %j', (situation, _what, value, expected) => {
    expect(value(computed(situation))).toEqual(expected);
  });

  test('has the names of its Service and the own ones in its certificate, each once', () => {
    const own = computed('all features').controlPlane.certSans;
    const [name = ''] = own;
    const service = [
      name,
      `${name}.magnum-system`,
      `${name}.magnum-system.svc`,
      `${name}.magnum-system.svc.cluster.local`,
    ];
    expect(name).toMatch(/^kube-.{5}$/);
    expect(own).toEqual([...service, 'api.example.com', '203.0.113.9']);
    expect(computed('plain').controlPlane.certSans).toHaveLength(service.length);
  });

  test.each<[string, string[]]>([
    ['plain', ['webhooks']],
    ['all features', ['webhooks', 'audit-policy', 'audit-logs']],
  ])('with %s mounts %j', (situation, names) => {
    expect(computed(situation).controlPlane.apiServerVolumes).toEqual(
      names.map((name) => expect.objectContaining({ name })),
    );
  });

  test.each<[string, string | undefined]>([
    ['all features', 'v1'],
    ['Kubernetes 1.32', 'v1'],
    ['Kubernetes 1.31', 'v1beta1'],
    ['a pre-release of 1.30', 'v1beta1'],
    ['Kubernetes 1.29', undefined],
    ['plain', undefined],
  ])('with %s reads whom it asks in a file of version %s', (situation, version) => {
    const content = computed(situation).controlPlane.files['/etc/kubernetes/webhooks/authorization.json'];
    expect(content === undefined ? undefined : JSON.parse(content).apiVersion).toBe(
      version === undefined ? undefined : `apiserver.config.k8s.io/${version}`,
    );
    expect(computed(situation).controlPlane.commandsAfter).toEqual([]);
  });

  test('has audit policy, webhook configuration and its images from the mirror', () => {
    const { files, permissions, config } = computed('a mirror and no healing').controlPlane;
    const policy = '/etc/kubernetes/audit-policy/apiserver-audit-policy.yaml';
    expect(JSON.parse(files[policy] ?? '')).toMatchObject({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy' });
    expect(permissions[policy]).toBe('0600');
    expect(files['/etc/kubernetes/webhooks/webhookconfig.yaml']).toContain('https://127.0.0.1:8443/webhook');
    expect(config['clusterConfiguration']).toMatchObject({ imageRepository });
    expect(computed('plain').controlPlane.config['clusterConfiguration']).not.toHaveProperty('imageRepository');
  });
});

describe('the control plane', () => {
  test('renews its certificates and waits for volumes as the class says', () => {
    expect(computed('plain').controlPlane.spec).toMatchObject({
      rollout: { before: { certificatesExpiryDays: 21 } },
      machineTemplate: {
        metadata: { labels: { 'node-role.kubernetes.io/master': '' } },
        spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 300 } },
      },
    });
  });

  test('shows the metrics of its parts', () => {
    expect(computed('plain').controlPlane.config['clusterConfiguration']).toMatchObject({
      controllerManager: { extraArgs: expect.arrayContaining([{ name: 'bind-address', value: '0.0.0.0' }]) },
      scheduler: { extraArgs: expect.arrayContaining([{ name: 'bind-address', value: '0.0.0.0' }]) },
      etcd: { local: { extraArgs: [{ name: 'listen-metrics-urls', value: 'http://0.0.0.0:2381' }] } },
    });
  });
});

describe('every node', () => {
  test.each<[string, string | undefined]>([
    ['plain', undefined],
    ['all features', 'TLS_A,TLS_B'],
  ])('with %s has the cipher suites %s', (situation, suites) => {
    const { controlPlane, nodegroups } = computed(situation);
    const registrations = [controlPlane.initRegistration, controlPlane.joinRegistration];
    for (const { kubelet } of [...registrations, ...Object.values(nodegroups).map((group) => group.joinRegistration)]) {
      expect(kubelet['tls-cipher-suites']).toBe(suites);
      expect(kubelet['cloud-provider']).toBe('external');
    }
  });

  test.each<[string, boolean]>([
    ['plain', false],
    ['all features', true],
  ])('with %s asks for a serving certificate: %s', (situation, enabled) => {
    const patches = enabled ? { directory: '/etc/kubernetes/patches' } : undefined;
    for (const { config, files } of everyNode(computed(situation))) {
      expect(Object.keys(files).includes('/etc/kubernetes/patches/kubeletconfiguration0+merge.json')).toBe(enabled);
      expect(config['joinConfiguration']).toMatchObject(enabled ? { patches } : {});
    }
    expect(computed(situation).controlPlane.config['initConfiguration']).toMatchObject(enabled ? { patches } : {});
  });

  test.each<[string, string]>([
    ['plain', 'registry.k8s.io/pause:3.9'],
    ['a mirror and no healing', 'registry.example.com/mirror/pause:3.9'],
  ])('with %s takes the pause image %s', (situation, image) => {
    for (const { files, commands } of everyNode(computed(situation))) {
      expect(files['/etc/containerd/config.toml']).toContain(`sandbox_image = "${image}"`);
      expect(commands).toContain('systemctl daemon-reload && systemctl restart containerd');
    }
  });
});

describe('a nodegroup', () => {
  test('registers its nodes with labels and taints', () => {
    const { joinRegistration } = computed('all features').nodegroups['default-worker']!;
    expect(joinRegistration.kubelet['node-labels']).toBe('example.com/disk=1e3,plain=');
    expect(joinRegistration.taints).toEqual(nodeTaints);
  });

  test('without them registers plain nodes', () => {
    const { joinRegistration } = computed('all features').nodegroups['scaled']!;
    expect(joinRegistration.kubelet).not.toHaveProperty('node-labels');
    expect(joinRegistration.taints).toBeUndefined();
  });

  test('that is autoscaled starts at its minimum and says what its nodes are like', () => {
    const { deployment, annotations } = computed('all features').nodegroups['scaled']!;
    expect(deployment['replicas']).toBe(1);
    expect(annotations).toMatchObject({
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '1',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '4',
      'capacity.cluster-autoscaler.kubernetes.io/memory': '8000Mi',
    });
  });

  test('gives its machines the labels by which Cluster API labels nodes, and time to detach volumes', () => {
    expect(computed('all features').nodegroups['scaled']?.deployment).toMatchObject({
      template: {
        metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node.cluster.x-k8s.io/nodegroup': 'scaled' } },
        spec: { deletion: { nodeVolumeDetachTimeoutSeconds: 300 } },
      },
    });
  });

  test('may have a mirror of its own', () => {
    const { nodegroups } = computed('all features');
    expect(nodegroups['scaled']?.config['clusterConfiguration']).toEqual({ imageRepository });
    expect(nodegroups['default-worker']?.config).not.toHaveProperty('clusterConfiguration');
  });
});

describe('health checks', () => {
  test('replace a node that is not ready for five minutes, while most are', () => {
    expect(computed('plain').healthChecks['']).toMatchObject({
      checks: {
        unhealthyNodeConditions: ['False', 'Unknown'].map((status) => ({ type: 'Ready', status, timeoutSeconds: 300 })),
      },
      remediation: { triggerIf: { unhealthyLessThanOrEqualTo: '80%' } },
    });
  });

  test.each<[string, string[]]>([
    ['plain', ['', 'default-worker']],
    ['all features', ['', 'default-worker']],
    ['a mirror and no healing', []],
  ])('with %s exist for %j', (situation, names) => {
    expect(Object.keys(computed(situation).healthChecks).sort()).toEqual(names);
  });
});
