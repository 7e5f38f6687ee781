// Users that nothing else has, for processes that start as root.

/**
 * The range that systemd gives services without a user of their own; distributions leave it free
 * (systemd.io/UIDS-GIDS), and it fits into the 65,536 users of a container.
 */
const first = 61_184;
const count = 4_336;

let given = 0;

/** A different one for each process of a worker; two workers seldom meet. */
export function transientUser(): number {
  given += 1;
  return first + ((process.pid * 61 + given) % count);
}
