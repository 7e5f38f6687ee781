// A bound on how much of one kind is under way at once in this process.

export interface Gate {
  readonly max: number;
  /** Takes a place and returns how to give it back; null when every place is taken. */
  enter(): (() => void) | null;
}

export function createGate(max: number): Gate {
  let inside = 0;
  return {
    max,
    enter() {
      if (inside >= max) return null;
      inside += 1;
      let left = false;
      return () => {
        if (!left) inside -= 1;
        left = true;
      };
    },
  };
}
