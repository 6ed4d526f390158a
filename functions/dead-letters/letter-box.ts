import { type DeadLetter, letterConfigMap, letterSelector } from '../../shared/dead-letters/dead-letter.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { isConflict, isNotFound } from '../../shared/kubernetes/errors.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';

export interface LetterBoxLimits {
  /** Letters that there are at most. */
  readonly letters: number;
  /** Letters that are kept before they are counted again: a list of all of them costs much more than a letter. */
  readonly between: number;
}

interface Access {
  readonly kubernetes: KubernetesClient;
  readonly signal: AbortSignal;
}

/** Keeps dead letters in the management cluster, so many at most: the oldest go. */
export class LetterBox {
  readonly #limits: LetterBoxLimits;
  /** Letters that may come before the next count. */
  #room = 0;
  #counting: Promise<void> | undefined;

  constructor(limits: LetterBoxLimits) {
    this.#limits = limits;
  }

  /**
   * Keeps a letter in one call, which may be repeated: the same letter is one.
   * @throws KubernetesError, also where there is no room and none can be made
   */
  async keep(letter: DeadLetter, access: Access): Promise<void> {
    while (this.#room <= 0) await this.#makeRoom(access);
    this.#room -= 1;
    await access.kubernetes.apply(resources.configMap, letterConfigMap(letter), { force: true, signal: access.signal });
  }

  /** Those who come meanwhile wait for the same count. */
  async #makeRoom(access: Access): Promise<void> {
    this.#counting ??= this.#dropOldest(access).finally(() => {
      this.#counting = undefined;
    });
    await this.#counting;
  }

  async #dropOldest({ kubernetes, signal }: Access): Promise<void> {
    const { letters, between } = this.#limits;
    const present: { readonly name: string; readonly uid: string; readonly order: string }[] = [];
    const all = kubernetes.each(resources.configMap, { namespace, labelSelector: letterSelector, signal });
    for await (const { metadata } of all) {
      const { name = '', uid = '', creationTimestamp = '' } = metadata ?? {};
      present.push({ name, uid, order: `${creationTimestamp} ${name}` });
    }
    const oldestFirst = present.toSorted((one, other) => (one.order < other.order ? -1 : 1));
    for (const { name, uid } of oldestFirst.slice(0, Math.max(0, present.length - (letters - between)))) {
      await kubernetes.delete(resources.configMap, { namespace, name }, { uid, signal }).catch(unlessGone);
    }
    this.#room = between;
  }
}

function unlessGone(error: unknown): void {
  if (!isNotFound(error) && !isConflict(error)) throw error;
}
