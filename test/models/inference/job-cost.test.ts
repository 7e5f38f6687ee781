// What jobs are expected to cost decides where they run: a clip's are for the quick process.
import test from 'ava';
import { expectedMs } from '../../../models/inference/job-cost.ts';
import type { ChunkRequest } from '../../../models/inference/jobs.ts';
import { createPlacement } from '../../../models/inference/placement.ts';

const clipSamples = 32_000;

function costOfWords(language: string | null): number {
  const request: ChunkRequest = { words: true, language, text: false, head: null, spans: [] };
  const chunks = [{ samples: clipSamples, request }];
  return expectedMs({ kind: 'analyze', chunks }, clipSamples);
}

test('words of no named language cost what English costs: they are heard as it first', (t) => {
  t.is(costOfWords(null), costOfWords('en'));
  t.true(costOfWords('es') > costOfWords(null));
});

for (const language of [null, 'en']) {
  test(`the words of a clip are placed in the quick process: ${language ?? 'unnamed'}`, (t) => {
    const [first, quick] = [
      { ready: true, open: new Set<never>() },
      { ready: true, open: new Set<never>() },
    ];
    const cost = costOfWords(language);
    const found = createPlacement([first, quick]).find(
      { organizationId: 'a', priority: 1, cost },
      0,
    );
    t.is(found, quick);
  });
}
