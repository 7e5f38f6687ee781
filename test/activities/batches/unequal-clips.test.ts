// A group of clips of which one cannot be read or analysed: it waits alone, the others end.
import { ApplicationFailure } from '@temporalio/activity';
import test from 'ava';
import { aClipGroup } from '../../support/clip-group.ts';
import { createFakePool } from '../../support/fake-pool.ts';

test('one whose object is damaged gets a workflow of its own', async (t) => {
  const { objects, analyze, states } = await aClipGroup(t, createFakePool());
  await objects.delete(['uploads/1']);
  await objects.putBytes('uploads/1', Buffer.alloc(20, 2));
  const { long } = await analyze();
  t.deepEqual(
    long.map(({ position }) => position),
    [1],
  );
  t.deepEqual(await states(), ['completed', 'admitted', 'completed']);
});

test('what was analysed before a failure is settled, and not analysed again', async (t) => {
  let broken = true;
  const healthy = createFakePool();
  const pool = createFakePool({
    analyze: async (pcm, request, options) => {
      if (broken && pcm.includes(30)) {
        // The others are through.
        while (healthy.of('analyze').length < 2) await new Promise(setImmediate);
        throw new Error('the machine is out of memory');
      }
      return healthy.analyze(pcm, request, options);
    },
  });
  const { analyze, states } = await aClipGroup(t, pool);
  await t.throwsAsync(analyze(), { instanceOf: ApplicationFailure });
  t.deepEqual(await states(), ['completed', 'completed', 'running']);
  broken = false;
  await analyze();
  t.deepEqual(await states(), ['completed', 'completed', 'completed']);
  t.is(healthy.of('analyze').length, 3);
});
