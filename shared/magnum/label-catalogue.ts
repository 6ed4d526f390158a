import { apiServerLabels } from './labels/api-server.ts';
import { kubernetesLabels } from './labels/kubernetes.ts';
import type { LabelDefinition } from './labels/label-definition.ts';
import { networkLabels } from './labels/network.ts';
import { nodeLabels } from './labels/nodes.ts';
import { storageLabels } from './labels/storage.ts';
import { volumeLabels } from './labels/volumes.ts';

const definitions = {
  ...kubernetesLabels,
  ...nodeLabels,
  ...networkLabels,
  ...apiServerLabels,
  ...volumeLabels,
  ...storageLabels,
};

export type LabelName = keyof typeof definitions;

/** What reading each label gives. */
export type LabelValues = {
  readonly [Name in LabelName]: (typeof definitions)[Name] extends LabelDefinition<infer Value> ? Value : never;
};

/** Every label that the driver reads (seed §4.2 and §4.3); others pass unread. docs/labels.md is made from it. */
export const labelCatalogue: { readonly [Name in LabelName]: LabelDefinition<LabelValues[Name]> } = definitions;
