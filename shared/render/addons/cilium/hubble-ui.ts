import type { V1Container, V1PodSpec } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import { configMap, type Manifest } from '../manifest.ts';
import { logsOnError } from './container-parts.ts';
import { hubbleWorkload } from './hubble-workload.ts';
import type { Installation } from './installation.ts';
import { ports } from './names.ts';
import { ciliumRule, read, rule } from './policy-rule.ts';
import type { CiliumLine } from './releases.ts';
import { clusterGrant } from './roles.ts';
import { noRights, runtimeSeccomp } from './security.ts';

const name = 'hubble-ui';

/** Hubble's user interface: a page, and a backend that asks the relay. */
export function hubbleUi(installation: Installation): readonly Manifest[] {
  return [
    ...clusterGrant(name, uiRules(installation.line)),
    configMap({ name: `${name}-nginx` }, { 'nginx.conf': nginxConfiguration }),
    ...hubbleWorkload({
      name,
      port: { name: 'http', targetPort: ports.ui },
      podSpec: podSpec(installation),
    }),
  ];
}

function podSpec({ line, images }: Installation): Wire<V1PodSpec> {
  const { podSecurity, containerSecurity, scratch } = differences[line];
  const common = { ...logsOnError, securityContext: containerSecurity };
  return {
    securityContext: podSecurity,
    automountServiceAccountToken: true,
    containers: [frontend, backend].map((container) => ({ ...container(images), ...common })),
    volumes: [
      { name: `${name}-nginx-conf`, configMap: { name: `${name}-nginx`, defaultMode: 0o644 } },
      { name: 'tmp-dir', emptyDir: scratch },
    ],
  };
}

function uiRules(line: CiliumLine) {
  const rules = [
    rule('', 'componentstatuses namespaces nodes pods services', read),
    rule('apiextensions.k8s.io', 'customresourcedefinitions', read),
  ];
  if (line !== 'v1.15') return rules;
  const older = [
    rule('networking.k8s.io', 'networkpolicies', read),
    rule('', 'endpoints', read),
    ciliumRule('*', read),
  ];
  return [...rules, ...older];
}

function frontend({ hubbleUi: image }: Installation['images']): Wire<V1Container> {
  return {
    name: 'frontend',
    image,
    ports: [{ name: 'http', containerPort: ports.ui }],
    livenessProbe: { httpGet: { path: '/healthz', port: ports.ui } },
    readinessProbe: { httpGet: { path: '/', port: ports.ui } },
    volumeMounts: [
      { name: `${name}-nginx-conf`, mountPath: '/etc/nginx/conf.d/default.conf', subPath: 'nginx.conf' },
      { name: 'tmp-dir', mountPath: '/tmp' },
    ],
  };
}

function backend({ hubbleUiBackend: image }: Installation['images']): Wire<V1Container> {
  return {
    name: 'backend',
    image,
    env: [
      { name: 'EVENTS_SERVER_PORT', value: String(ports.uiBackend) },
      { name: 'FLOWS_API_ADDR', value: 'hubble-relay:80' },
    ],
    ports: [{ name: 'grpc', containerPort: ports.uiBackend }],
  };
}

/** The page's files, with index.html for every path that is none, and the backend below /api. */
const nginxConfiguration = `server {
  listen ${ports.ui};
  listen [::]:${ports.ui};
  server_name localhost;
  root /app;
  index index.html;
  client_max_body_size 1G;

  location /api {
    proxy_http_version 1.1;
    proxy_set_header Host $host;
    proxy_set_header X-Real-IP $remote_addr;
    proxy_pass http://127.0.0.1:${ports.uiBackend};
  }
  location = /healthz {
    access_log off;
    default_type text/plain;
    return 200 ok;
  }
  location / {
    try_files $uri $uri/ /index.html;
  }
}
`;

interface UiDifferences {
  readonly podSecurity: NonNullable<Wire<V1PodSpec>['securityContext']>;
  readonly containerSecurity: NonNullable<Wire<V1Container>['securityContext']>;
  readonly scratch: { readonly sizeLimit?: string };
}

/** User of the images since v0.13.1. */
const user = 1001;

const differences: Readonly<Record<CiliumLine, UiDifferences>> = {
  'v1.15': { podSecurity: {}, containerSecurity: {}, scratch: {} },
  'v1.20': {
    podSecurity: { fsGroup: user, runAsGroup: user, runAsNonRoot: true, runAsUser: user, ...runtimeSeccomp },
    containerSecurity: noRights,
    scratch: { sizeLimit: '256Mi' },
  },
};
