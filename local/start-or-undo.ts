/** Ends one part that has started. */
export type UndoStep = () => unknown;

/** Ends what has started, the last part first; a second call finds nothing left. */
export async function undoAll(undo: UndoStep[]): Promise<void> {
  for (const step of undo.splice(0).toReversed()) await step();
}

/**
 * Starts something of several parts: all of it, or nothing of it stays.
 * @param start adds to the list what ends each part that it has started
 */
export async function startOrUndo<Started extends object>(
  start: (undo: UndoStep[]) => Promise<Started>,
): Promise<Started & { stop(): Promise<void> }> {
  const undo: UndoStep[] = [];
  const stop = () => undoAll(undo);
  try {
    return { ...(await start(undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
