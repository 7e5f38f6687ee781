// PostgreSQL fails under load: it crashes and restarts, or its connections are cut.
import { setTimeout as sleep } from 'node:timers/promises';
import { testServers } from '../support/environment.ts';
import { disturb, recovery, together, type FaultOptions, type FaultOutcome } from './fault.ts';
import { startTcpProxy } from './tcp-proxy.ts';

const crashes = 3;
const backSeconds = 30;

/** `pg_ctl stop -m immediate` and `kill -9` in turn: both leave a server that has to recover. */
export function postgresCrash(options: FaultOptions): Promise<FaultOutcome> {
  return disturb(options, async () => ({
    quietMs: 60_000,
    async nemesis({ services, random, history, readiness }) {
      const outcomes: FaultOutcome[] = [];
      for (let i = 0; i < crashes; i += 1) {
        await sleep(3_000 + random() * 3_000);
        const signal = random() < 0.5 ? 'SIGQUIT' : 'SIGKILL';
        services.kill('PostgreSQL', signal);
        const name = `PostgreSQL ended by ${signal}`;
        outcomes.push(await recovery({ history, readiness }, { name, limitSeconds: backSeconds }));
      }
      await sleep(2_000);
      return together(outcomes);
    },
  }));
}

const silentMs = 30_000;
const cutMs = 10_000;

/** The proxy drops everything for 30 s, then resets every connection for ten. */
export function postgresPartition(options: FaultOptions): Promise<FaultOutcome> {
  return disturb(options, async (t) => {
    const line = await startTcpProxy(t, testServers().databaseUrl);
    return {
      ports: { postgres: line.port },
      quietMs: 90_000,
      async nemesis({ random, history, readiness }) {
        await sleep(1_000 + random() * 2_000);
        line.set('silent');
        const red = await readiness.until(/^Not ready: database/, 10_000);
        await sleep(silentMs);
        line.set('open');
        const healed = await recovery(
          { history, readiness },
          { name: 'silent for 30 s', limitSeconds: backSeconds },
        );
        await sleep(2_000 + random() * 2_000);
        line.set('cut');
        await sleep(cutMs);
        line.set('open');
        const again = await recovery(
          { history, readiness },
          { name: 'cut for 10 s', limitSeconds: backSeconds },
        );
        await sleep(2_000);
        const broken = red ? [] : ['/readyz did not name the database'];
        return together([healed, again, { figures: [], broken }]);
      },
    };
  });
}
