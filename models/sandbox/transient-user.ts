// Users that nothing else on the machine has, for processes that start as root.
import { readdirSync, readFileSync } from 'node:fs';

/**
 * systemd gives this range to services without a user of their own, and distributions leave it free
 * (systemd.io/UIDS-GIDS); it fits into the 65,536 users of a container.
 */
const first = 61_184;
const count = 4_336;

let given = 0;

/**
 * Each process of a worker gets a different user, and one that no process of the machine has now:
 * the kernel counts the threads of a user, whoever started them, against the limit of each of its
 * processes, so one that shared its user with a large process could not start.
 */
export function transientUser(): number {
  const taken = usersOfProcesses();
  for (let i = 0; i < count; i += 1) {
    given += 1;
    const user = first + ((process.pid * 61 + given) % count);
    if (!taken.has(user)) return user;
  }
  throw new Error(`all ${count} users for guarded processes are taken`);
}

/** Users of the processes that this one can see; empty where there is no /proc. */
function usersOfProcesses(): ReadonlySet<number> {
  const users = new Set<number>();
  for (const name of namesOfProcesses()) {
    try {
      // The owner of the folder would be root for a process that is just starting its program.
      const [, user] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'latin1'))!;
      users.add(Number(user));
    } catch {
      // It has ended, and leaves its user to others.
    }
  }
  return users;
}

function namesOfProcesses(): readonly string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    // Not Linux, or hidden: then the offset by process id has to do.
    return [];
  }
}
