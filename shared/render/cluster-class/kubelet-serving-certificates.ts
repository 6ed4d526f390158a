import type { Feature } from './feature.ts';
import { add, appendFixedArgument } from './json-patch.ts';
import { nodeFile } from './node-file.ts';
import { apiServerArguments, kubeadm, spec } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { optionalSwitch } from './variable.ts';

const patchesDirectory = '/etc/kubernetes/patches';
const patches = { directory: patchesDirectory };

/** kubeadm merges it into the kubelet's configuration; the file's name says which and how. */
const kubeletPatch = nodeFile(
  `${patchesDirectory}/kubeletconfiguration0+merge.json`,
  '0644',
  JSON.stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    serverTLSBootstrap: true,
  }),
);

/** Needs an approver of `kubernetes.io/kubelet-serving` requests, which Kubernetes itself never approves (user-reports E28). */
export const kubeletServingCertificates: Feature = {
  variables: [
    optionalSwitch(
      'enableKubeletServingCertificateVerification',
      "Whether kubelets ask for a serving certificate of the cluster's authority and the API server verifies it.",
    ),
  ],
  patches: [
    {
      name: 'kubeletServingCertificateVerification',
      enabledIf: '{{ .enableKubeletServingCertificateVerification }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            appendFixedArgument(apiServerArguments, 'kubelet-certificate-authority', '/etc/kubernetes/pki/ca.crt'),
            add(`${kubeadm}/files/-`, kubeletPatch),
            add(`${kubeadm}/initConfiguration/patches`, patches),
            add(`${kubeadm}/joinConfiguration/patches`, patches),
          ],
        },
        {
          selector: workers,
          jsonPatches: [add(`${spec}/files/-`, kubeletPatch), add(`${spec}/joinConfiguration/patches`, patches)],
        },
      ],
    },
  ],
};
