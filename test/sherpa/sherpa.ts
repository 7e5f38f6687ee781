// sherpa-onnx's diarization with this project's embedding model, for comparison.
import { join } from 'node:path';
import type { Turn } from '../metrics/der.ts';
import { pythonTools } from '../support/python-tools.ts';
import { startRecordingProgram } from '../support/recording-program.ts';

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
  const script = join(import.meta.dirname, 'diarize.py');
  const args = [script, join(tools, 'models')];
  const program = await startRecordingProgram(join(tools, 'bin', 'python'), args);
  return {
    async diarize(pcm, speakers) {
      const { milliseconds, turns } = await program.ask<Answer>(pcm, (path) =>
        JSON.stringify({ path, speakers, threshold }),
      );
      const named = turns.map(([start, end, speaker]) => ({
        start,
        end,
        speaker: String(speaker),
      }));
      return { milliseconds, turns: named };
    },
    close: () => program.close(),
  };
}
