// Which signals are the same Ctrl-C.

/** Set-up and npm forward what the terminal has already sent: signals this close are one press. */
const samePressMs = 700;

/** Told of each signal, says whether it is the first, the same press again, or a later one. */
export function keyPresses(): () => 'first' | 'same' | 'later' {
  let firstAt: number | null = null;
  return () => {
    const now = performance.now();
    if (firstAt === null) {
      firstAt = now;
      return 'first';
    }
    return now - firstAt < samePressMs ? 'same' : 'later';
  };
}
