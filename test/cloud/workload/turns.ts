/** Lets operations with the same key follow each other, and others run beside them. */
export type InTurn = <T>(key: string, operation: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (key, operation) => {
    const before = last.get(key) ?? Promise.resolve();
    // Whether the one before succeeded is for its own caller to know.
    const turn = before.then(operation, operation);
    last.set(key, turn);
    return turn;
  };
}
