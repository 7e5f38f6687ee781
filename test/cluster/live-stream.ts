// A stream through the proxy, as a caller's program holds it.
import { anAccount, type TestAccount } from '../support/database.ts';
import { framesOf, openSocket, type Ended, type TestSocket } from '../support/sockets.ts';
import { speech } from '../support/speech.ts';
import type { Cluster } from './cluster.ts';

const path = '/v1/audio/transcriptions/stream';

/** Opens a stream and waits until it is accepted. @throws when it is rejected */
export async function openStream(cluster: Cluster, { key }: TestAccount): Promise<TestSocket> {
  const stream = openSocket(cluster.base, path, { protocols: ['svceet.pcm.v1'], key });
  const rejected = stream.ended.then(({ code, messages }): never => {
    throw new Error(`the stream ended: ${code} ${JSON.stringify(messages)}`);
  });
  await Promise.race([stream.message('ready'), rejected]);
  rejected.catch(() => {});
  return stream;
}

export async function sendSpeech(stream: TestSocket): Promise<void> {
  for (const frame of framesOf(await speech('Please call me back tomorrow.'))) stream.send(frame);
}

/** Commits what was sent. @returns what the caller got: `final`, or the code of the end */
export async function commit(stream: TestSocket): Promise<string> {
  stream.send({ type: 'commit' });
  return wordOf(await stream.ended);
}

export function wordOf({ code, messages }: Ended): string {
  const last = messages.at(-1);
  if (last?.type === 'final') return 'final';
  return last?.type === 'error' ? `${code} ${last.code}` : String(code);
}

/** A whole stream, of an organization of its own. @returns `final`, or how it ended */
export async function streamAnswer(cluster: Cluster): Promise<string> {
  try {
    const stream = await openStream(cluster, await anAccount(cluster.db));
    await sendSpeech(stream);
    return await commit(stream);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
