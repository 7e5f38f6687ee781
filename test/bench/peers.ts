// A call through the service / other recognisers on as many threads, in the same run.
import { encode, toWav } from '../support/speech.ts';
import type { TestStack } from '../support/stack.ts';
import { peers, startPeer } from '../peers/peers.ts';
import { succeed } from './end-to-end.ts';
import { compareTimes, milliseconds, type Ratio } from './ratio.ts';
import { longCall } from './recordings.ts';

/** The service decodes, stores and answers over HTTP; the peers take samples from memory. */
export async function measurePeers(stack: TestStack): Promise<readonly Ratio[]> {
  const pcm = await longCall(10);
  const file = await encode(toWav(pcm), 'mp3', ['-b:a', '48k']);
  const ratios: Ratio[] = [];
  for (const name of peers) {
    const peer = await startPeer(name);
    ratios.push(
      await compareTimes({
        name: `peers: 10 min call, HTTP / ${name}`,
        gate: 'none',
        rounds: 3,
        warmUpRounds: 0,
        a: () => milliseconds(() => succeed(stack, file)),
        b: async () => (await peer.transcribe(pcm)).milliseconds,
      }),
    );
    await peer.close();
  }
  return ratios;
}
