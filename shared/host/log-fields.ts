/**
 * Everything that a line of the log can tell beside its level, time and text: a field that does not stand here does not compile. What each
 * means stands in log-fields-document.ts, which has to name all of them.
 */
export interface LogFields {
  // Of the event that a line belongs to.
  readonly function?: string | undefined;
  readonly event_id?: string | undefined;
  readonly cluster?: string | undefined;
  readonly event_type?: string | undefined;

  // How an event ended.
  readonly outcome?: string | undefined;
  readonly status?: number | undefined;
  readonly code?: string | undefined;
  readonly duration_ms?: number | undefined;
  readonly kubernetes_calls?: number | undefined;
  readonly openstack_calls?: number | undefined;
  readonly reason?: string | undefined;
  readonly err?: unknown;

  // What a line is about.
  readonly stack_id?: string | undefined;
  readonly cluster_class?: string | undefined;
  readonly remaining?: readonly string[] | undefined;
  readonly told?: string | undefined;
  readonly clusters?: number | undefined;
  readonly reported?: number | undefined;
  readonly known?: number | undefined;
  readonly failed?: number | undefined;
  readonly unreached?: number | undefined;

  // Of an event that could not be delivered.
  readonly letter?: string | undefined;
  readonly destination?: string | undefined;

  // Of the process.
  readonly port?: number | undefined;
  readonly functions?: readonly string[] | undefined;
  readonly signal?: string | undefined;
  readonly variables?: readonly string[] | undefined;

  // Of the local system's broker and sources.
  readonly apiVersion?: string | undefined;
  readonly kind?: string | undefined;
  readonly subject?: string | undefined;
  readonly trigger?: string | undefined;
}
