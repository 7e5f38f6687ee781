// When the workers of a process that serves sockets stop polling.
import test from 'ava';
import { runWorkers, type PollingWorker } from '../../../bin/process/run-workers.ts';

/** A worker that notes what happens to it. */
function aWorker(name: string, log: string[]) {
  const ended = Promise.withResolvers<void>();
  let state: ReturnType<PollingWorker['getState']> = 'RUNNING';
  const end = (): void => {
    state = 'STOPPED';
    log.push(`${name} ended`);
  };
  const worker: PollingWorker = {
    run: () => ended.promise,
    getState: () => state,
    shutdown() {
      log.push(`${name} is asked`);
      setImmediate(() => {
        end();
        ended.resolve();
      });
    },
  };
  const fail = (error: Error): void => {
    end();
    ended.reject(error);
  };
  return { worker, fail };
}

test('they poll until the last socket is closed', async (t) => {
  const log: string[] = [];
  const workers = ['a', 'b'].map((name) => aWorker(name, log).worker);
  const asked = Promise.withResolvers<void>();
  const sockets = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  const close = async (): Promise<void> => {
    closing.resolve();
    await sockets.promise;
    log.push('sockets are closed');
  };
  const running = runWorkers(workers, { asked: asked.promise, close });
  asked.resolve();
  await closing.promise;
  await new Promise((soon) => setImmediate(soon));
  t.deepEqual(log, []);
  sockets.resolve();
  await running;
  t.deepEqual(log, ['sockets are closed', 'a is asked', 'b is asked', 'a ended', 'b ended']);
});

test('one that fails ends the others and the sockets', async (t) => {
  const log: string[] = [];
  const [a, b] = [aWorker('a', log), aWorker('b', log)];
  const running = runWorkers([a.worker, b.worker], {
    asked: new Promise(() => {}),
    close: async () => void log.push('sockets are closed'),
  });
  a.fail(new Error('the connection is lost'));
  await t.throwsAsync(running, { message: 'the connection is lost' });
  t.deepEqual(log, ['a ended', 'sockets are closed', 'b is asked', 'b ended']);
});
