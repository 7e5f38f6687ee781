// Users that nothing else on the machine has, for processes that start as root.

/**
 * systemd gives this range to services without a user of their own, and distributions leave it free
 * (systemd.io/UIDS-GIDS); it fits into the 65,536 users of a container.
 */
const first = 61_184;
const count = 4_336;

let given = 0;

/** Each process of a worker gets a different user; those of two workers seldom collide. */
export function transientUser(): number {
  given += 1;
  return first + ((process.pid * 61 + given) % count);
}
