// `node test/twins/run.ts`: writes what other decoders decode from the twins: CTranslate2 to
// `whisper.json`, onnx-asr to `nemo.json`, sherpa-onnx to `sherpa.json`.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { format } from 'prettier';
import { whisperTokensOf } from '../../bin/conversion/whisper-tokens.ts';
import { pythonTools } from '../support/python-tools.ts';
import { toWav } from '../support/speech.ts';
import {
  clipSeconds,
  nemoCases,
  twinClip,
  twinSeed,
  whisperCases,
  type WhisperCase,
} from './cases.ts';
import { writeNemoTwin, type NemoSizes } from './nemo-twin.ts';
import { writeCtranslate2 } from './whisper-formats.ts';
import { makeTwin } from './whisper-twin.ts';
import { promptOf } from './prompt.ts';
import { decodeBySherpa } from './sherpa-twin.ts';

const run = promisify(execFile);

const peers = await pythonTools({
  name: 'peers',
  requirements: join(import.meta.dirname, '..', 'peers', 'requirements.txt'),
});
const transducers = await pythonTools({
  name: 'twins',
  requirements: join(import.meta.dirname, 'requirements.txt'),
  noDependencies: true,
});
const work = await mkdtemp(join(tmpdir(), 'svc-twins-'));
const files = clipSeconds.map((seconds) => join(work, `${seconds}.wav`));
for (const [i, path] of files.entries()) await writeFile(path, toWav(twinClip(clipSeconds[i]!)));
const whisper = [];
for (const each of whisperCases) whisper.push([each.name, await decode(each)]);
await save('whisper.json', Object.fromEntries(whisper));
const nemo = [];
for (const sizes of nemoCases) nemo.push([sizes.mels, await decodeTransducer(sizes)]);
await save('nemo.json', Object.fromEntries(nemo));
const sherpa = [];
for (const sizes of nemoCases) sherpa.push([sizes.mels, await decodeBySherpa(sizes, work, files)]);
await save('sherpa.json', Object.fromEntries(sherpa));
await rm(work, { recursive: true });

/** Tokens of each clip. */
async function decode({ name, sizes, language }: WhisperCase): Promise<readonly number[][]> {
  const twin = makeTwin(sizes, twinSeed);
  const folder = join(work, name);
  writeCtranslate2(twin, folder);
  const vocabulary = whisperTokensOf(sizes.vocabularySize, twin.text);
  const { endOfText } = vocabulary.tokens;
  const markers = sizes.vocabularySize - endOfText - 1;
  const suppress = Array.from({ length: markers }, (_, i) => endOfText + 1 + i);
  const job = { mels: sizes.mels, prompt: promptOf(vocabulary, language), suppress, files };
  const path = join(work, `${name}.json`);
  await writeFile(path, JSON.stringify(job));
  const script = join(import.meta.dirname, 'reference.py');
  const { stdout } = await run(join(peers, 'bin', 'python'), [script, folder, path]);
  return JSON.parse(stdout) as number[][];
}

/** Token and frame, of each clip. */
async function decodeTransducer(sizes: NemoSizes): Promise<readonly number[][][]> {
  const folder = join(work, String(sizes.mels));
  writeNemoTwin(sizes, twinSeed, folder);
  const script = join(import.meta.dirname, 'nemo_reference.py');
  const python = join(transducers, 'bin', 'python');
  const { stdout } = await run(python, [script, folder, ...files]);
  return JSON.parse(stdout) as number[][][];
}

async function save(name: string, decoded: object): Promise<void> {
  const text = await format(JSON.stringify(decoded), { parser: 'json', printWidth: 100 });
  await writeFile(join(import.meta.dirname, name), text);
}
