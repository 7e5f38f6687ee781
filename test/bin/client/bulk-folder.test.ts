// The journal beside the results of a folder: what is read back, and what is ignored.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { BulkFolder } from '../../../bin/client/bulk-folder.ts';
import { withDirectory } from '../../support/speech.ts';

const file = { path: 'call.wav', sha256: 'hash of call.wav' };
const failed = { ...file, request: 'emotion', outcome: 'failed', code: 'audio_too_long' } as const;
const batch = { key: 'key', request: 'emotion', files: [file] };

test('the lines of a journal are read back; truncated and other lines are not', async (t) => {
  await withDirectory(async (directory) => {
    const folder = new BulkFolder(directory, directory);
    await folder.note(failed);
    await folder.note(batch);
    const path = join(directory, 'journal.jsonl');
    const lost = { ...file, request: 'emotion', outcome: 'lost' };
    const lines = [lost, { ...batch, files: ['call.wav'] }, null].map((line) =>
      JSON.stringify(line),
    );
    await writeFile(path, `${lines.join('\n')}\n{"path":"ca`, { flag: 'a' });
    t.deepEqual(await folder.journal(), { entries: [failed], batches: [batch] });
  });
});
