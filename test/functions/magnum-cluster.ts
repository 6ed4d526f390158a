import { randomUUID } from 'node:crypto';
import type { ExampleEvent } from './example-event.ts';
import { nodegroupEvent } from './nodegroup-event.ts';

type Row = Readonly<Record<string, unknown>>;

/** What Magnum's database says of one cluster: it makes the events that Magnum would send, and remembers what they change. */
export class MagnumCluster {
  readonly uuid: string;
  readonly creation: ExampleEvent;
  #cluster: Row;
  #template: Row;
  #nodegroups: readonly Row[];

  constructor(creation: ExampleEvent) {
    this.uuid = creation.subject;
    this.creation = creation;
    this.#cluster = creation.data.cluster;
    this.#template = creation.data.cluster_template;
    this.#nodegroups = creation.data.nodegroups;
  }

  /** Magnum saves the stack id of the reply. */
  created(stackId: string): void {
    this.#cluster = { ...this.#cluster, stack_id: stackId, status: 'CREATE_COMPLETE' };
    this.#nodegroups = this.#nodegroups.map((row) => ({ ...row, stack_id: stackId, status: 'CREATE_COMPLETE' }));
  }

  /** What another driver would find. */
  rows(): { readonly cluster: Row; readonly cluster_template: Row; readonly nodegroups: readonly Row[] } {
    return { cluster: this.#cluster, cluster_template: this.#template, nodegroups: this.#nodegroups };
  }

  resize(nodegroup: string, nodeCount: number, nodesToRemove: readonly string[] = []): ExampleEvent {
    const row = this.#change(nodegroup, { node_count: nodeCount, status: 'UPDATE_IN_PROGRESS' });
    const call = { nodegroup: row, node_count: nodeCount, nodes_to_remove: nodesToRemove };
    return this.#event('cluster.resize', call);
  }

  createNodegroup(name: string, fields: Row = {}): ExampleEvent {
    const event = nodegroupEvent(this.#event('cluster.create'), name, fields);
    const row = event.data['nodegroup'] as Row;
    this.#nodegroups = [...this.#nodegroups, row];
    return event;
  }

  updateNodegroup(name: string, fields: Row): ExampleEvent {
    return this.#event('nodegroup.update', { nodegroup: this.#change(name, fields) });
  }

  /** Magnum does not save the new status of the row before the call. */
  deleteNodegroup(name: string): ExampleEvent {
    const event = this.#event('nodegroup.delete', { nodegroup: this.#row(name) });
    this.#nodegroups = this.#nodegroups.filter((row) => row['name'] !== name);
    return event;
  }

  /** The driver takes over version and image of the new template; the rest of the cluster's labels stays. */
  upgrade(version: string, fields: Row = {}): ExampleEvent {
    const labels = { ...asRow(this.#template['labels']), kube_tag: version };
    const template = { ...this.#template, uuid: randomUUID(), labels, ...fields };
    const [nodegroup] = this.#nodegroups;
    const event = this.#event('cluster.upgrade', { new_cluster_template: template, max_batch_size: 1, nodegroup });
    this.#template = template;
    this.#cluster = { ...this.#cluster, labels: { ...asRow(this.#cluster['labels']), kube_tag: version } };
    return event;
  }

  /** `token` of the user who asks. */
  rotateCredential(asking: { readonly token: string; readonly userId: string }): ExampleEvent {
    const event = this.#event('cluster.credential.rotate');
    const context = { ...event.data.context, token: asking.token, user_id: asking.userId };
    return { ...event, data: { ...event.data, context } };
  }

  delete(): ExampleEvent {
    return this.#event('cluster.delete');
  }

  /** As the conductor asks when nothing was pushed. */
  requestStatus(status: string): ExampleEvent {
    this.#cluster = { ...this.#cluster, status };
    return this.#event('cluster.status.requested');
  }

  requestHealth(): ExampleEvent {
    return this.#event('cluster.health.requested');
  }

  #event(type: string, call: Row = {}): ExampleEvent {
    const { certificates: _certificates, ...data } = this.creation.data;
    const { token: _token, ...context } = data.context;
    return {
      ...this.creation,
      id: `req-${randomUUID()}`,
      type: `org.openstack.magnum.${type}.v1`,
      time: new Date().toISOString(),
      data: {
        ...data,
        context,
        cluster: { ...data.cluster, ...this.#cluster },
        cluster_template: this.#template,
        nodegroups: [...this.#nodegroups],
        ...call,
      },
    };
  }

  #row(name: string): Row {
    const found = this.#nodegroups.find((row) => row['name'] === name);
    if (found === undefined) throw new Error(`Magnum has no nodegroup ${name}.`);
    return found;
  }

  #change(name: string, fields: Row): Row {
    const changed = { ...this.#row(name), ...fields };
    this.#nodegroups = this.#nodegroups.map((row) => (row['name'] === name ? changed : row));
    return changed;
  }
}

function asRow(value: unknown): Row {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
