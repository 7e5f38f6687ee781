// The fixed reference of ratios 1 and 5: published graphs unchanged, one chunk at a time, one token
// per run, as the service did before chunks were decoded in batches (docs/adr/0027).
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { InferencePool } from '../../models/inference/jobs.ts';

export interface ReferencePool extends Pick<InferencePool, 'size' | 'voiceActivity' | 'analyze'> {
  close(): void;
}

export interface ReferenceJob {
  readonly kind: 'voiceActivity' | 'words';
  readonly pcm: Int16Array;
}

const script = fileURLToPath(new URL('reference-process.ts', import.meta.url));

/** Resolves when every process has its models loaded. */
export async function startReferencePool(
  modelsDirectory: string,
  processes: number,
): Promise<ReferencePool> {
  const children = Array.from({ length: processes }, () =>
    fork(script, [modelsDirectory], { serialization: 'advanced' }),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  const free = [...children];
  const waiters: ((child: ChildProcess) => void)[] = [];
  const run = async (job: ReferenceJob): Promise<unknown> => {
    const child = free.pop() ?? (await new Promise<ChildProcess>((got) => waiters.push(got)));
    child.send(job);
    const [answer] = (await once(child, 'message')) as [unknown];
    const next = waiters.shift();
    if (next) next(child);
    else free.push(child);
    return answer;
  };
  return {
    size: processes,
    voiceActivity: async (pcm) => (await run({ kind: 'voiceActivity', pcm })) as Float32Array,
    analyze: async (pcm) => {
      await run({ kind: 'words', pcm });
      const noWords = { words: [], language: null, languages: null, english: null };
      return { ...noWords, written: null, scored: [], inferenceMs: 0 };
    },
    close: () => {
      for (const child of children) child.kill();
    },
  };
}
