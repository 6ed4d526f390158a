import { expect, test } from 'vitest';
import { proxyPath } from './broker-entrance.ts';

test.each([
  [
    "Kafka's ingress",
    'http://kafka-broker-ingress.knative-eventing.svc.cluster.local/magnum-system/magnum',
    '/api/v1/namespaces/knative-eventing/services/http:kafka-broker-ingress:80/proxy/magnum-system/magnum',
  ],
  [
    'an ingress with TLS',
    'https://broker-ingress.knative-eventing.svc.cluster.local/magnum-system/magnum',
    '/api/v1/namespaces/knative-eventing/services/https:broker-ingress:443/proxy/magnum-system/magnum',
  ],
  [
    "RabbitMQ's, in the functions' own namespace",
    'http://magnum-broker-ingress.magnum-system.svc.example.org:8080',
    '/api/v1/namespaces/magnum-system/services/http:magnum-broker-ingress:8080/proxy/',
  ],
  ['an address outside of the cluster', 'https://broker.example.org/magnum-system/magnum', undefined],
  ['another protocol', 'ftp://broker-ingress.knative-eventing.svc.cluster.local/', undefined],
])('the way through an API server to %s', (_what, address, path) => {
  expect(proxyPath(address)).toBe(path);
});
