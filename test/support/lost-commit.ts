// A database whose next commit is done and its answer lost, as by a failover.
import type { Db } from '../../db/database.ts';

export function lostCommit(db: Db): Db {
  let isLost = false;
  return new Proxy(db, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (name !== 'transaction' || isLost)
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      return () => ({
        execute: async (work: (trx: Db) => Promise<unknown>) => {
          await db.transaction().execute(work);
          isLost = true;
          throw new Error('Connection terminated unexpectedly');
        },
      });
    },
  });
}
