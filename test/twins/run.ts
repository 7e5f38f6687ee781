// `node test/twins/run.ts`: writes what CTranslate2 decodes from the twins to `whisper.json`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vocabularyOf } from '../../bin/conversion/whisper-vocabulary.ts';
import { pythonTools } from '../support/python-tools.ts';
import { toWav } from '../support/speech.ts';
import { clipSeconds, twinClip, twinSeed, whisperCases, type WhisperCase } from './cases.ts';
import { writeCtranslate2 } from './whisper-formats.ts';
import { makeTwin } from './whisper-twin.ts';
import { promptOf } from './prompt.ts';

const run = promisify(execFile);

const requirements = join(import.meta.dirname, '..', 'peers', 'requirements.txt');
const tools = await pythonTools({ name: 'peers', requirements });
const work = await mkdtemp(join(tmpdir(), 'svc-twins-'));
const files = clipSeconds.map((seconds) => join(work, `${seconds}.wav`));
for (const [i, path] of files.entries()) await writeFile(path, toWav(twinClip(clipSeconds[i]!)));
const decoded = [];
for (const each of whisperCases) decoded.push([each.name, await decode(each)]);
const lines = JSON.stringify(Object.fromEntries(decoded)).replaceAll('],"', '],\n"');
await writeFile(join(import.meta.dirname, 'whisper.json'), `${lines}\n`);
await rm(work, { recursive: true });

/** Tokens of each clip. */
async function decode({ name, sizes, language }: WhisperCase): Promise<readonly number[][]> {
  const twin = makeTwin(sizes, twinSeed);
  const folder = join(work, name);
  writeCtranslate2(twin, folder);
  const vocabulary = vocabularyOf(sizes.vocabularySize, twin.text);
  const { endOfText } = vocabulary.tokens;
  const markers = sizes.vocabularySize - endOfText - 1;
  const suppress = Array.from({ length: markers }, (_, i) => endOfText + 1 + i);
  const job = { mels: sizes.mels, prompt: promptOf(vocabulary, language), suppress, files };
  const path = join(work, `${name}.json`);
  await writeFile(path, JSON.stringify(job));
  const script = join(import.meta.dirname, 'reference.py');
  const { stdout } = await run(join(tools, 'bin', 'python'), [script, folder, path]);
  return JSON.parse(stdout) as number[][];
}
