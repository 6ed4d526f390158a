import * as z from 'zod';
import { clusterSnapshot, clusterTemplateSnapshot, magnumOptions, nodegroupSnapshot } from '../magnum/snapshot.ts';

const text = z.string().min(1);

/** Who asks. `token` is the user's own Keystone token and comes with create and credential rotation only. */
const context = z.looseObject({
  user_id: text,
  project_id: text,
  auth_url: z.url(),
  request_id: z.string().nullish(),
});

const contextWithToken = context.extend({ token: text });

const keyPair = z.object({ certificate: text, private_key: text });

/** Magnum's certificate authorities and service account pair, each in PEM. */
const certificates = z.object({ ca: keyPair, etcd: keyPair, front_proxy: keyPair, sa: keyPair });

/** What every request carries: a full snapshot of what Magnum knows. Fields that Magnum adds later pass. */
const snapshot = {
  cluster: clusterSnapshot,
  cluster_template: clusterTemplateSnapshot,
  nodegroups: z.array(nodegroupSnapshot),
  options: magnumOptions,
};

const request = z.looseObject({ ...snapshot, context });
const nodegroupRequest = request.extend({ nodegroup: nodegroupSnapshot });

export const clusterCreate = z.looseObject({
  ...snapshot,
  context: contextWithToken,
  certificates,
  /** Minutes; null = 60, 0 = no limit. */
  cluster_create_timeout: z.int().min(0).nullish(),
});

export const nodegroupCreate = nodegroupRequest;
export const nodegroupUpdate = nodegroupRequest;
export const nodegroupDelete = nodegroupRequest;

export const clusterResize = nodegroupRequest.extend({
  node_count: z.int().min(0),
  /** Nova server ids, or Machine names. */
  nodes_to_remove: z.array(z.string()).nullish(),
});

export const clusterUpgrade = request.extend({
  new_cluster_template: clusterTemplateSnapshot,
  max_batch_size: z.int().nullish(),
  nodegroup: nodegroupSnapshot.nullish(),
});

export const clusterUpdate = request;
export const caRotate = request;
export const credentialRotate = request.extend({ context: contextWithToken });
export const clusterDelete = request;
export const statusRequested = request;
export const healthRequested = request;

/** What ApiServerSource sends in Reference mode: the object's name, nothing of its content. */
export const objectReference = z.looseObject({
  apiVersion: text,
  kind: text,
  name: text,
  namespace: z.string().nullish(),
});

/** PingSource's data is whatever its manifest says; it is not read. */
export const ping = z.unknown();
