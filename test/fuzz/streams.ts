// Random messages to the streams with interim text and to Realtime sessions: each socket ends by
// itself or lives on, with documented messages alone, and nothing is charged.
import fc from 'fast-check';
import { openSocket } from '../support/sockets.ts';
import type { TestStack } from '../support/stack.ts';

interface Target {
  readonly path: string;
  readonly protocol: string;
  /** Of a message's `type`. */
  readonly known: RegExp;
}

const targets: readonly Target[] = [
  {
    path: '/v1/audio/transcriptions/stream',
    protocol: 'svceet.pcm.live.v1',
    known: /^(ready|pong|interim|error)$/,
  },
  {
    path: '/v1/audio/spectra-2/stream',
    protocol: 'svc.spectra2.live.v1',
    known: /^(ready|interim|error)$/,
  },
  {
    path: '/openai/v1/realtime',
    protocol: 'realtime',
    known: /^(error|(transcription_)?session\.|input_audio_buffer\.|conversation\.item\.)/,
  },
];
const codes = new Set([1000, 1005, 1008, 1009, 1013, 4408]);

const types = [
  ...['start', 'ping', 'session.update', 'transcription_session.update'],
  ...['input_audio_buffer.append', 'input_audio_buffer.clear', 'response.create'],
];
const anyMessage = fc.oneof(
  fc.uint8Array({ maxLength: 4_000 }),
  fc.string(),
  fc.json(),
  fc
    .tuple(fc.constantFrom(...types), fc.dictionary(fc.string(), fc.jsonValue()))
    .map(([type, rest]) => JSON.stringify({ ...rest, type })),
  fc.base64String({ maxLength: 4_000 }).map((audio) => {
    return JSON.stringify({ type: 'input_audio_buffer.append', audio });
  }),
);

/** @returns what was not documented; [] when all is well */
export async function fuzzStreams(
  { base, account }: TestStack,
  seed: number,
  runs: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { path, protocol, known } of targets) {
    const sequences = fc.sample(fc.array(anyMessage, { maxLength: 30 }), { seed, numRuns: runs });
    for (const messages of sequences) {
      const options = { protocols: [protocol], key: account.key };
      const { socket, ended } = openSocket(base, path, options);
      await Promise.race([new Promise((open) => socket.once('open', open)), ended]);
      for (const each of messages) if (socket.readyState === socket.OPEN) socket.send(each);
      socket.close();
      const { code, messages: answers } = await ended;
      if (!codes.has(code)) faults.push(`${path}: closed with ${code}`);
      const strange = answers.find(({ type }) => !known.test(type));
      if (strange) faults.push(`${path}: ${JSON.stringify(strange)}`);
    }
  }
  return faults;
}
