// The uploads of a bulk run: what one recording is at fault for stops no other.
import { appendFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { uploadFiles } from '../../../bin/client/bulk-upload.ts';
import { createSpeechClient } from '../../../clients/typescript/src/client.ts';
import { scriptedServer } from '../../support/scripted-server.ts';
import { withDirectory } from '../../support/speech.ts';

test('a recording that changes while it is uploaded fails by itself', async (t) => {
  const { baseUrl, received } = await scriptedServer(t, [{ body: { id: 'file-1' } }]);
  const { files, ...client } = createSpeechClient({ baseUrl, apiKey: 'k' });
  await withDirectory(async (folder) => {
    const changes: Readonly<Record<string, (path: string) => Promise<void>>> = {
      'grows.wav': (path) => appendFile(path, 'more'),
      'shrinks.wav': (path) => truncate(path, 2),
      'goes.wav': (path) => rm(path),
      'stays.wav': async () => {},
    };
    const names = Object.keys(changes);
    for (const name of names) await writeFile(join(folder, name), 'sound');
    // The recording is open by then.
    const upload: typeof files.upload = async (recording, options) => {
      const name = (recording as { readonly name: string }).name;
      await changes[name]!(join(folder, name));
      return files.upload(recording, options);
    };
    const { signal } = new AbortController();
    const { sent, rejected } = await uploadFiles(
      { folder, uploads: 1, signal, client: { ...client, files: { ...files, upload } } },
      names.map((path) => ({ path, sha256: path })),
      'request',
    );
    t.deepEqual(
      sent.map(({ file }) => file.path),
      ['stays.wav'],
    );
    t.deepEqual(
      rejected.map(({ path, code, message, final }) => [path, code, message, final]),
      names.slice(0, 3).map((path) => {
        return [path, 'unreadable_file', 'it changed or went away while it was sent', false];
      }),
    );
    t.is(received.length, 1, 'none was sent again');
  });
});
