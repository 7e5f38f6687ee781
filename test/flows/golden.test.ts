// Fixed inputs and their complete answers: whatever changes a score shows here, and must be
// intended. Rewritten by GOLDEN=write npm test -- test/flows/golden.test.ts; review the difference.
import { readFile, writeFile } from 'node:fs/promises';
import test from 'ava';
import { decideAccess } from '../../db/model-access.ts';
import { joinSamples } from '../../models/audio/samples.ts';
import { floatKernels } from '../support/float-kernels.ts';
import { music, silence, speech, toWav } from '../support/speech.ts';
import { postFile, testStack } from '../support/stack.ts';

const golden = (name: string): URL => new URL(`../golden/${name}.json`, import.meta.url);
const tolerance = 0.03;
/** Of processors with AVX-512; with AVX2 alone one unsure word differs by up to 0.16. */
const kernels = await floatKernels();
const kernelsFile = golden('float-kernels');
const areOfTheAnswers = kernels === JSON.parse(await readFile(kernelsFile, 'utf8'));
const wordTolerance = areOfTheAnswers ? tolerance : 0.2;
const ofOneWord = /\.words\.\d+\.(?:confidence|score)$/;
/** New in each run, or dependent on the clock. */
const changing = new Set(['id', 'inference_ms', 'pricing_version']);

const text =
  'I would like to change the address on my account, please send me twenty five letters.';

test('Resonance-2, proficiency and synthetic speech answer as before', async (t) => {
  const stack = await testStack(t);
  const { organizationId } = stack.account;
  const access = { organizationId, model: 'svc-resonance-2', status: 'approved', actor: 'test' };
  await decideAccess(stack.db, access as Parameters<typeof decideAccess>[1]);
  const spoken = await speech(text);
  const inputs = {
    spoken: toWav(spoken),
    windows: toWav(
      joinSamples([spoken, silence(1), spoken, silence(1), spoken, silence(1), spoken]),
    ),
    music: toWav(music(7)),
  };
  if (process.env.GOLDEN === 'write') await writeFile(kernelsFile, `${JSON.stringify(kernels)}\n`);
  for (const endpoint of ['resonance-2', 'proficiency', 'synthetic-speech']) {
    for (const [input, file] of Object.entries(inputs)) {
      const { status, body } = await postFile(stack, `/v1/audio/${endpoint}`, { file });
      t.is(status, 200, `${endpoint} ${input}`);
      const url = golden(`${endpoint}.${input}`);
      const answer = settledPart(body);
      if (process.env.GOLDEN === 'write') {
        await writeFile(url, `${JSON.stringify(answer, null, 1)}\n`);
      }
      const expected: unknown = JSON.parse(await readFile(url, 'utf8'));
      t.deepEqual(differences(expected, answer, `${endpoint}.${input}`), []);
    }
  }
});

function settledPart(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settledPart);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !changing.has(key))
      .map(([key, inner]) => [key, settledPart(inner)]),
  );
}

/** Paths at which two answers differ; numbers may differ by the tolerance of their size. */
function differences(expected: unknown, found: unknown, path: string): readonly string[] {
  if (typeof expected === 'number' && typeof found === 'number') {
    const share = ofOneWord.test(path) ? wordTolerance : tolerance;
    const allowed = share * Math.max(1, Math.abs(expected));
    return Math.abs(expected - found) <= allowed ? [] : [`${path}: ${expected} ${found}`];
  }
  if (typeof expected !== 'object' || expected === null || typeof found !== 'object' || !found) {
    return Object.is(expected, found) ? [] : [`${path}: ${String(expected)} ${String(found)}`];
  }
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...keys].flatMap((key) =>
    differences(
      (expected as Record<string, unknown>)[key],
      (found as Record<string, unknown>)[key],
      `${path}.${key}`,
    ),
  );
}
