// A program beside a suite that answers each recording with a line of JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { toWav } from './speech.ts';

export interface RecordingProgram {
  /** The next line that it writes. @throws Error when it has ended */
  line(): Promise<string>;
  /** @param questionOf the line to send about the WAV at this path */
  ask<Answer>(pcm: Int16Array, questionOf: (path: string) => string): Promise<Answer>;
  close(): Promise<void>;
}

export async function startRecordingProgram(
  program: string,
  args: readonly string[],
): Promise<RecordingProgram> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-program-'));
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${[program, ...args].join(' ')} has ended`);
    return value;
  };
  return {
    line,
    async ask<Answer>(pcm: Int16Array, questionOf: (path: string) => string) {
      const path = join(folder, 'recording.wav');
      await writeFile(path, toWav(pcm));
      child.stdin.write(`${questionOf(path)}\n`);
      return JSON.parse(await line()) as Answer;
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
