// faster-whisper on the same weights, greedy, on one thread: EVAL_WHISPER names its model folder.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface FileTranscript {
  readonly text: string;
  readonly language: string | null;
  readonly seconds: number;
}

const script = `
import json, sys, time
from faster_whisper import WhisperModel
model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=1)
written = []
for file in json.load(open(sys.argv[2])):
    start = time.time()
    segments, info = model.transcribe(file["path"], beam_size=1, language=file["language"])
    text = "".join(segment.text for segment in segments)
    written.append({"text": text, "language": info.language, "seconds": time.time() - start})
json.dump(written, open(sys.argv[3], "w"))
`;

export interface FileToTranscribe {
  readonly path: string;
  /** null: detected. */
  readonly language: string | null;
}

/** null where EVAL_WHISPER is not set. EVAL_PYTHON names the Python that has faster-whisper. */
export async function fasterWhisper(
  files: readonly FileToTranscribe[],
): Promise<readonly FileTranscript[] | null> {
  const folder = process.env.EVAL_WHISPER;
  if (!folder) return null;
  const directory = await mkdtemp(join(tmpdir(), 'svc-eval-'));
  try {
    const [input, output] = ['in.json', 'out.json'].map((name) => join(directory, name));
    await writeFile(input!, JSON.stringify(files));
    const python = process.env.EVAL_PYTHON ?? 'python3';
    const env = { ...process.env, OMP_NUM_THREADS: '1' };
    await run(python, ['-c', script, folder, input!, output!], { env });
    return JSON.parse(await readFile(output!, 'utf8')) as FileTranscript[];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
