// Shows that work leaves the event loop free.

/** Counts the turns of the event loop from now on. */
export function countTurns(): { readonly turns: () => number; readonly stop: () => number } {
  let turns = 0;
  let stopped = false;
  const count = (): void => {
    turns += 1;
    if (!stopped) setImmediate(count);
  };
  setImmediate(count);
  return {
    turns: () => turns,
    stop: () => {
      stopped = true;
      return turns;
    },
  };
}
