// `node test/twins/transformers.ts`: writes what transformers decodes from the twins to
// `transformers.json`. Its packages are not installed for the tests, so it is run by hand.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format } from 'prettier';
import { whisperTokensOf } from '../../bin/conversion/whisper-tokens.ts';
import { pythonTools } from '../support/python-tools.ts';
import { toWav } from '../support/speech.ts';
import { clipSeconds, transformersCases, twinClip, twinSeed, type WhisperCase } from './cases.ts';
import { promptOf } from './prompt.ts';
import { writeSafetensors } from './whisper-formats.ts';
import { makeTwin } from './whisper-twin.ts';

const run = promisify(execFile);
/** Of each clip. */
const steps = 24;

const tools = await pythonTools({
  name: 'transformers',
  requirements: join(import.meta.dirname, 'transformers-requirements.txt'),
});
const work = await mkdtemp(join(tmpdir(), 'svc-twins-'));
const files = clipSeconds.map((seconds) => join(work, `${seconds}.wav`));
for (const [i, path] of files.entries()) await writeFile(path, toWav(twinClip(clipSeconds[i]!)));
const decoded = [];
for (const each of transformersCases) decoded.push([each.name, await decode(each)]);
const text = JSON.stringify(Object.fromEntries(decoded));
const path = join(import.meta.dirname, 'transformers.json');
await writeFile(path, await format(text, { parser: 'json', printWidth: 100 }));
await rm(work, { recursive: true });

/** Token and centre of its attention, of each clip. */
async function decode({ name, sizes, language }: WhisperCase): Promise<unknown> {
  const twin = makeTwin(sizes, twinSeed);
  const folder = join(work, name);
  writeSafetensors(twin, folder);
  const { mels, vocabularySize } = sizes;
  const vocabulary = whisperTokensOf(vocabularySize, twin.text);
  const { endOfText } = vocabulary.tokens;
  const suppress = Array.from(
    { length: vocabularySize - endOfText - 1 },
    (_, i) => endOfText + 1 + i,
  );
  const prompt = promptOf(vocabulary, language);
  const job = { mels, vocabulary: vocabularySize, prompt, suppress, steps, files };
  const jobFile = join(work, `${name}.json`);
  await writeFile(jobFile, JSON.stringify(job));
  const script = join(import.meta.dirname, 'transformers_reference.py');
  const { stdout } = await run(join(tools, 'bin', 'python'), [script, folder, jobFile]);
  return JSON.parse(stdout);
}
