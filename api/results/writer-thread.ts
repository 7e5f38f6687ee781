// The thread that serialises long results; an hour of speech would block the event loop for 0.1 s.
import { parentPort } from 'node:worker_threads';
import { writeResult } from './write-result.ts';
import type { WriteAnswer, WriteRequest } from './result-writer.ts';

parentPort!.on('message', ({ stored, origin, wanted }: WriteRequest) => {
  try {
    const text = new TextEncoder().encode(writeResult(stored, origin, wanted));
    const answer: WriteAnswer = { kind: 'written', text };
    parentPort!.postMessage(answer, [text.buffer]);
  } catch (error) {
    parentPort!.postMessage({ kind: 'failed', error } satisfies WriteAnswer);
  }
});
