import { cniReleases, cniTag, supportedReleases } from '../syntax/cni-release.ts';
import { kubernetesVersion } from '../syntax/kubernetes-version.ts';
import { imageTag, registryPrefix } from '../syntax/text-format.ts';
import { booleanLabel, textLabel } from './label-definition.ts';

/** Versions, images and what runs in the cluster from the start. */
export const kubernetesLabels = {
  kube_tag: textLabel({
    type: 'version',
    parse: kubernetesVersion,
    default: null,
    shownDefault: 'required',
    meaning: 'Kubernetes version, with or without the leading `v`; the image of the cluster template has to bring it.',
  }),
  container_infra_prefix: textLabel({
    type: 'registry path',
    parse: registryPrefix,
    default: null,
    shownDefault: 'upstream registries',
    scope: 'nodegroup',
    meaning: 'Registry from which all images are pulled instead, without a scheme.',
  }),
  calico_tag: textLabel({
    type: 'version',
    parse: cniTag('calico'),
    default: cniReleases.calico.defaultTag,
    tolerated: true,
    meaning: `Calico release, where the network driver is calico; supported are ${supportedReleases('calico')}.`,
  }),
  cilium_tag: textLabel({
    type: 'version',
    parse: cniTag('cilium'),
    default: cniReleases.cilium.defaultTag,
    tolerated: true,
    meaning: `Cilium release, where the network driver is cilium; supported are ${supportedReleases('cilium')}.`,
  }),
  cilium_hubble_ui_enabled: booleanLabel({
    default: false,
    tolerated: true,
    meaning: "Whether Hubble's relay and user interface are installed with Cilium.",
  }),
  keystone_auth_enabled: booleanLabel({
    default: true,
    meaning: 'Whether the API server takes Keystone tokens.',
  }),
  cloud_provider_tag: textLabel({
    type: 'image tag',
    parse: imageTag,
    default: null,
    shownDefault: 'fits the Kubernetes version',
    meaning: 'Image tag of the OpenStack cloud controller manager.',
  }),
};
