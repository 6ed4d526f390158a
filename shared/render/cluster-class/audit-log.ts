import { auditPolicyFile } from './audit-policy.ts';
import type { Feature, JsonPatch } from './feature.ts';
import { add, appendArgument, appendFixedArgument } from './json-patch.ts';
import { maximumArgumentLength } from './limits.ts';
import { apiServer, apiServerArguments } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optional } from './variable.ts';

/** Where the API server's container sees the directory in which the node keeps the logs. */
const logDirectory = '/var/log/audit';
const policyDirectory = '/etc/kubernetes/audit-policy';

/** Numbers are text: they go into flags unchanged, and the original's clusters hold them so. */
const limit = { type: 'string', maxLength: maximumArgumentLength } as const;

export const auditLog: Feature = {
  variables: [
    optional('auditLog', {
      type: 'object',
      description: 'Audit log of the API server: days, number of files and MiB a file, as decimal text.',
      required: ['enabled', 'maxAge', 'maxBackup', 'maxSize'],
      properties: { enabled: { type: 'boolean' }, maxAge: limit, maxBackup: limit, maxSize: limit },
      default: { enabled: false, maxAge: '30', maxBackup: '10', maxSize: '100' },
    }),
  ],
  patches: [
    {
      name: 'auditLog',
      enabledIf: '{{ .auditLog.enabled }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [
            appendFixedArgument(apiServerArguments, 'audit-log-path', `${logDirectory}/kube-apiserver-audit.log`),
            appendArgument(apiServerArguments, 'audit-log-maxage', '.auditLog.maxAge'),
            appendArgument(apiServerArguments, 'audit-log-maxbackup', '.auditLog.maxBackup'),
            appendArgument(apiServerArguments, 'audit-log-maxsize', '.auditLog.maxSize'),
            appendFixedArgument(apiServerArguments, 'audit-policy-file', auditPolicyFile.path),
            appendVolume({
              name: 'audit-policy',
              hostPath: policyDirectory,
              mountPath: policyDirectory,
              readOnly: true,
            }),
            appendVolume({
              name: 'audit-logs',
              hostPath: '/var/log/kubernetes/audit',
              mountPath: logDirectory,
              pathType: 'DirectoryOrCreate',
            }),
          ],
        },
      ],
    },
  ],
};

interface HostPathVolume {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
  readonly pathType?: string;
}

function appendVolume(volume: HostPathVolume): JsonPatch {
  return add(`${apiServer}/extraVolumes/-`, { ...volume });
}
