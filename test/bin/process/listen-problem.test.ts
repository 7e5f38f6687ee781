// A process that cannot listen names the settings by which it tried.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import { cannotListen } from '../../../bin/process/listen-problem.ts';

const variables = ['SVC_HOST', 'SVC_PORT'] as const;

function listen(host: string, port: number): Promise<unknown> {
  const server = createServer().listen({ host, port });
  return once(server, 'listening').catch(cannotListen({ host, port, variables }));
}

test('the variables of an address that cannot be used are named', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.teardown(() => void taken.close());
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  await t.throwsAsync(listen('127.0.0.1', port), {
    message: `cannot listen at SVC_HOST=127.0.0.1, SVC_PORT=${port}: another process has the port`,
  });
  await t.throwsAsync(listen('no-such-host.invalid', 0), {
    message: /SVC_HOST=no-such-host\.invalid, SVC_PORT=0: the address is not known/,
  });
  const other = new Error('the models are not there');
  t.is(
    t.throws(() => cannotListen({ host: '', port: 0, variables })(other)),
    other,
  );
});
