import type { Check } from './check.ts';
import { apiVersionsCheck } from './checks/api-versions.ts';
import { autoscalersCheck } from './checks/autoscalers.ts';
import { clocksCheck } from './checks/clocks.ts';
import { contractsCheck } from './checks/contracts.ts';
import { controllersCheck } from './checks/controllers.ts';
import { deadLettersCheck } from './checks/dead-letters.ts';
import { eventTokensCheck } from './checks/event-tokens.ts';
import { eventsCheck } from './checks/events.ts';
import { clusterResourceSetCheck, clusterTopologyCheck } from './checks/feature-gates.ts';
import { functionsCheck } from './checks/functions.ts';
import { imagesCheck } from './checks/images.ts';
import { keystoneCheck } from './checks/keystone.ts';
import { knativeEventingCheck, knativeServingCheck } from './checks/knative.ts';
import { kubernetesVersionCheck } from './checks/kubernetes-version.ts';
import { listenerCheck } from './checks/listener.ts';
import { namespaceCheck } from './checks/namespace.ts';
import { objectsCheck } from './checks/objects.ts';
import { openStackResourceControllerCheck } from './checks/openstack-resource-controller.ts';
import { rightsCheck } from './checks/rights.ts';
import { serviceCredentialCheck } from './checks/service-credential.ts';
import { webhooksCheck } from './checks/webhooks.ts';

/** All checks, in the order of `checkIds`. */
export const checks: readonly Check[] = [
  kubernetesVersionCheck,
  apiVersionsCheck,
  contractsCheck,
  openStackResourceControllerCheck,
  controllersCheck,
  namespaceCheck,
  webhooksCheck,
  clusterTopologyCheck,
  clusterResourceSetCheck,
  knativeServingCheck,
  knativeEventingCheck,
  objectsCheck,
  rightsCheck,
  functionsCheck,
  imagesCheck,
  eventsCheck,
  eventTokensCheck,
  listenerCheck,
  keystoneCheck,
  clocksCheck,
  serviceCredentialCheck,
  autoscalersCheck,
  deadLettersCheck,
];
