// Connections to hosts of several addresses, some of which lead nowhere.
import { spawn } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { parseNetworks } from '../../../api/http/networks.ts';
import { sendWebhook } from '../../../api/webhooks/send.ts';
import type { Cleanup } from '../../support/cleanup.ts';

const receiverProgram = `require('node:http')
  .createServer((request, response) => response.writeHead(204).end())
  .listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () {
    console.log(this.address().port);
  })`;

/** A receiver that stands still and whose queue is full: the system drops the next first packet. */
async function fullReceiver(t: Cleanup) {
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['-e', receiverProgram], { stdio: [...stdio] });
  t.teardown(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const port = Number(line.toString());
  child.kill('SIGSTOP');
  for (let i = 0; i < 3; i += 1) {
    const filler = connect(port, '127.0.0.1').on('error', () => {});
    t.teardown(() => void filler.destroy());
    // The first two are in the queue.
    if (i < 2) await once(filler, 'connect');
  }
  return { port, goOn: () => child.kill('SIGCONT') };
}

test('an address that answers late is not given up for one that leads nowhere', async (t) => {
  const { port, goOn } = await fullReceiver(t);
  const found = mock.method(Resolver.prototype, 'resolve4', async () => ['127.0.0.1']);
  const other = mock.method(Resolver.prototype, 'resolve6', async () => ['::1']);
  t.teardown(() => [found, other].forEach((each) => each.mock.restore()));
  const networks = parseNetworks('127.0.0.0/8, ::1/128');
  const sent = sendWebhook(
    {
      id: 'msg_1',
      url: new URL(`http://receiver.example:${port}/`),
      secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`],
      event: { type: 'webhook.test', timestamp: new Date().toISOString(), data: {} },
    },
    { networks },
  );
  // Longer than Node would try it; the packet is sent again after a second.
  await sleep(400);
  goOn();
  t.is((await sent).status, 204);
});
