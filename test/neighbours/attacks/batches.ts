// Batches: full queues, thousands of items that fail, many listeners, endless receivers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { longCall } from '../../bench/recordings.ts';
import { decoderBomb } from '../decoder-bomb.ts';
import { encode, toWav } from '../../support/speech.ts';
import { postFile, requestJson, startBatch, storm, type Attack, type Target } from '../attack.ts';

const items = 10_000;
const listeners = 300;

/** The queue of such a batch is full during the whole measurement. */
async function fullQueue(target: Target, signal: AbortSignal): Promise<string> {
  const file = await encode(toWav(await longCall(10)), 'mp3', ['-b:a', '48k']);
  return startBatch(target, {
    fileId: (await postFile(target, { file, signal }))!,
    count: items,
    signal,
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}

export const batchAttacks: readonly Attack[] = [
  {
    name: 'full-queue',
    does: 'a batch of 10,000 calls of ten minutes, diarized analysis',
    async run(target, signal) {
      await fullQueue(target, signal);
      await aborted(signal);
    },
  },
  {
    name: 'bomb-batch',
    does: 'a batch of 10,000 items that name one decoder bomb',
    async run(target, signal) {
      const fileId = (await postFile(target, { file: decoderBomb(), signal }))!;
      await startBatch(target, { fileId, count: items, signal });
      await aborted(signal);
    },
  },
  {
    name: 'listener-swarm',
    does: '300 listeners to the events of a batch of 10,000 items',
    async run(target, signal) {
      const id = await fullQueue(target, signal);
      const headers = { Authorization: `Bearer ${target.key}` };
      await storm(listeners, signal, async () => {
        const url = `${target.base}/v1/batches/${id}/events`;
        const { body } = await fetch(url, { headers, signal });
        for await (const _ of body ?? []);
      });
    },
  },
  {
    name: 'endless-receivers',
    does: '40 batches whose webhooks go to a receiver that never ends its answer',
    async run(target, signal) {
      const block = Buffer.alloc(65_536, 'x');
      const receiver = createServer((_request, response) => {
        response.writeHead(500);
        const more = (): void => {
          while (!response.destroyed && response.write(block));
        };
        response.on('drain', more);
        more();
      }).listen(0, '127.0.0.1');
      signal.addEventListener('abort', () => receiver.closeAllConnections());
      await requestJson(target, '/v1/webhooks/secret', { signal });
      const { port } = receiver.address() as AddressInfo;
      const fileId = (await postFile(target, { file: toWav(new Int16Array(16_000)), signal }))!;
      const webhook = `http://127.0.0.1:${port}/`;
      for (let i = 0; i < 40; i += 1) {
        await startBatch(target, { fileId, count: 1, webhook, signal });
      }
      const body = { url: webhook };
      await storm(4, signal, () => requestJson(target, '/v1/webhooks/test', { body, signal }));
    },
  },
  {
    name: 'failing-batches',
    does: 'batches of 2,000 items that are too short, cancelled and deleted, four at a time',
    async run(target, signal) {
      const fileId = (await postFile(target, { file: toWav(new Int16Array(100)), signal }))!;
      await storm(4, signal, async () => {
        const id = await startBatch(target, { fileId, count: 2_000, signal });
        await sleep(2_000);
        await requestJson(target, `/v1/batches/${id}/cancel`, { signal });
        await requestJson(target, `/v1/batches/${id}`, { method: 'DELETE', signal });
      });
    },
  },
];
