import type { Feature } from './feature.ts';
import { addTemplate, appendArgument } from './json-patch.ts';
import { maximumArgumentLength, maximumOwnCertSans } from './limits.ts';
import { apiServer, apiServerArguments, kubeletArguments } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { expression } from './template.ts';
import { optional, optionalText } from './variable.ts';

/** Characters of a DNS name (RFC 1123). */
const maximumSubdomainLength = 253;

const flag = 'tls-cipher-suites';

/** Names under which the API server is reached inside the management cluster (original-facts §8). */
const serviceNames = ['"%s"', '"%s.%s"', '"%s.%s.svc"', '"%s.%s.svc.cluster.local"'].map((format) =>
  format === '"%s"' ? '.builtin.cluster.name' : `(printf ${format} .builtin.cluster.name .builtin.cluster.namespace)`,
);

/** Names of the certificate: the service names and the user's own, each once. */
const subjectAltNames = `concat (list ${serviceNames.join(' ')}) (splitList "," .apiServerSANs) | compact | uniq`;

export const tls: Feature = {
  variables: [
    optionalText(
      'apiServerTLSCipherSuites',
      "Comma-joined cipher suites of the API server; '' is Go's choice.",
      maximumArgumentLength,
    ),
    optionalText(
      'kubeletTLSCipherSuites',
      "Comma-joined cipher suites of the kubelets; '' is Go's choice.",
      maximumArgumentLength,
    ),
    optional('apiServerSANs', {
      type: 'string',
      description: "Comma-joined names and addresses for the API server's certificate.",
      default: '',
      maxLength: maximumOwnCertSans * maximumSubdomainLength,
      'x-kubernetes-validations': [
        {
          rule: `self.split(',').size() <= ${maximumOwnCertSans}`,
          message: `The API server's certificate takes at most ${maximumOwnCertSans} names of your own.`,
        },
      ],
    }),
  ],
  patches: [
    {
      name: 'apiServerTLSCipherSuites',
      enabledIf: '{{ ne .apiServerTLSCipherSuites "" }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [appendArgument(apiServerArguments, flag, '.apiServerTLSCipherSuites')],
        },
      ],
    },
    {
      name: 'kubeletTLSCipherSuites',
      enabledIf: '{{ ne .kubeletTLSCipherSuites "" }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            appendArgument(kubeletArguments.init, flag, '.kubeletTLSCipherSuites'),
            appendArgument(kubeletArguments.join, flag, '.kubeletTLSCipherSuites'),
          ],
        },
        {
          selector: workers,
          jsonPatches: [appendArgument(kubeletArguments.worker, flag, '.kubeletTLSCipherSuites')],
        },
      ],
    },
    {
      name: 'apiServerSANs',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [addTemplate(`${apiServer}/certSANs`, expression(subjectAltNames))],
        },
      ],
    },
  ],
};
