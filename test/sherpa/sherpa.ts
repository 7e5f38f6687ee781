// sherpa-onnx's diarization with this project's embedding model, for comparison.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Turn } from '../metrics/der.ts';
import { pythonTools } from '../support/python-tools.ts';
import { toWav } from '../support/speech.ts';

export interface SherpaDiarization {
  readonly turns: readonly Turn[];
  /** Of the diarization alone, on one thread. */
  readonly milliseconds: number;
}

export interface Sherpa {
  /** @param speakers their number, or null to estimate it */
  diarize(pcm: Int16Array, speakers: number | null): Promise<SherpaDiarization>;
  close(): Promise<void>;
}

/** Fewer errors than with 0.5 on the dialogues of the evaluation, by 8 points. */
const threshold = 0.7;

interface Answer {
  readonly milliseconds: number;
  readonly turns: readonly (readonly [number, number, number])[];
}

/** Installs sherpa-onnx if it is missing, and makes its models. */
export async function startSherpa(): Promise<Sherpa> {
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const tools = await pythonTools({ name: 'sherpa', requirements, noDependencies: true });
  const folder = await mkdtemp(join(tmpdir(), 'svc-sherpa-'));
  const script = join(import.meta.dirname, 'diarize.py');
  const child = spawn(join(tools, 'bin', 'python'), [script, join(tools, 'models')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async diarize(pcm, speakers) {
      const path = join(folder, 'recording.wav');
      await writeFile(path, toWav(pcm));
      child.stdin.write(`${JSON.stringify({ path, speakers, threshold })}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error('sherpa-onnx has ended');
      const { milliseconds, turns } = JSON.parse(value) as Answer;
      const named = turns.map(([start, end, speaker]) => ({
        start,
        end,
        speaker: String(speaker),
      }));
      return { milliseconds, turns: named };
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
