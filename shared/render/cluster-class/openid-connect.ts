import type { Feature, Patch } from './feature.ts';
import { appendArgument } from './json-patch.ts';
import { maximumArgumentLength } from './limits.ts';
import { apiServerArguments } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optional } from './variable.ts';

const text = { type: 'string', maxLength: maximumArgumentLength } as const;

/** Flags by the field that sets them; a field that is '' sets none, because an empty prefix is no prefix to the API server. */
const flags = {
  issuerUrl: 'oidc-issuer-url',
  clientId: 'oidc-client-id',
  usernameClaim: 'oidc-username-claim',
  usernamePrefix: 'oidc-username-prefix',
  groupsClaim: 'oidc-groups-claim',
  groupsPrefix: 'oidc-groups-prefix',
} as const;

export const openidConnect: Feature = {
  variables: [
    optional('openidConnect', {
      type: 'object',
      description: "OpenID Connect provider whose tokens the API server accepts; issuerUrl '' is none.",
      required: Object.keys(flags),
      properties: Object.fromEntries(Object.keys(flags).map((field) => [field, text])),
      default: {
        issuerUrl: '',
        clientId: '',
        usernameClaim: 'sub',
        usernamePrefix: '-',
        groupsClaim: '',
        groupsPrefix: '',
      },
    }),
  ],
  patches: Object.entries(flags).map(([field, flag]) => flagPatch(field, flag)),
};

function flagPatch(field: string, flag: string): Patch {
  const value = `.openidConnect.${field}`;
  return {
    name: `openidConnect-${field}`,
    enabledIf: `{{ and (ne .openidConnect.issuerUrl "") (ne ${value} "") }}`,
    definitions: [{ selector: controlPlane, jsonPatches: [appendArgument(apiServerArguments, flag, value)] }],
  };
}
