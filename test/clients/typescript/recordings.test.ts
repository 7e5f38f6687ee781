// What the client does with recordings that cannot be read to their end.
import { createReadStream } from 'node:fs';
import test from 'ava';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { scriptedServer } from '../../support/scripted-server.ts';

async function* brokenAfter(chunks: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < chunks; i += 1) yield new Uint8Array(100_000);
  throw new RangeError('no such call');
}

const broken: Readonly<Record<string, () => AsyncIterable<Uint8Array>>> = {
  'a source that fails at once': () => brokenAfter(0),
  'a source that fails midway': () => brokenAfter(3),
  'a source that cannot be made': () => {
    throw new RangeError('no such call');
  },
};

for (const [what, data] of Object.entries(broken)) {
  test(`${what}: its own error, and no repetition`, async (t) => {
    const { baseUrl } = await scriptedServer(t, [{ body: {} }]);
    const client = createSpeechClient({ baseUrl, apiKey: 'k' });
    let readings = 0;
    const counted = (): AsyncIterable<Uint8Array> => {
      readings += 1;
      return data();
    };
    const upload = client.files.upload({ name: 'a.wav', data: counted });
    await t.throwsAsync(upload, { instanceOf: RangeError, message: 'no such call' });
    t.is(readings, 1);
  });
}

test('a file that is not there, and a stream of texts, are errors of theirs', async (t) => {
  const { baseUrl } = await scriptedServer(t, [{ body: {} }]);
  const { audio } = createSpeechClient({ baseUrl, apiKey: 'k' });
  const missing = { name: 'a.wav', data: () => createReadStream('/none/a.wav') };
  await t.throwsAsync(() => audio.emotion(missing), { code: 'ENOENT' });
  const data = () => createReadStream(import.meta.filename, 'utf8');
  await t.throwsAsync(() => audio.emotion({ name: 'a.wav', data }), {
    instanceOf: TypeError,
    message: 'a recording is read as bytes, got string',
  });
});
