// Recorded histories replay on today's code: whatever would break running workflows fails here. To
// record: `temporal workflow show --workflow-id ID --output json > test/histories/NAME.json`, then
// blank its stack traces and identities, which name the machine.
import { readdir, readFile } from 'node:fs/promises';
import { Worker } from '@temporalio/worker';
import test from 'ava';
import * as workflows from '../../workflows/index.ts';
import { workflowBundle } from '../support/workflow-workers.ts';

const histories = new URL('../histories/', import.meta.url);

test('every recorded history replays; none holds more than ids and numbers', async (t) => {
  const names = (await readdir(histories)).filter((name) => name.endsWith('.json'));
  t.deepEqual(names.toSorted(), [
    'batch-window.json',
    'batch.json',
    'broken-audio.json',
    'cancelled-batch.json',
    'cancelled.json',
    'diarized-analysis.json',
    'long-recording.json',
    'out-of-time.json',
    'prepared-session.json',
    'recording-by-address.json',
    'short-clip.json',
    'stream.json',
    'sweep.json',
    'webhook.json',
  ]);
  const types = new Set<string>();
  const bundle = { workflowBundle: await workflowBundle() };
  for (const name of names) {
    const history = JSON.parse(await readFile(new URL(name, histories), 'utf8'));
    await t.notThrowsAsync(Worker.runReplayHistory(bundle, history), name);
    types.add(history.events[0].workflowExecutionStartedEventAttributes.workflowType.name);
    for (const event of history.events) {
      t.true(JSON.stringify(event).length < 8_192, `${name}: event ${event.eventId}`);
    }
    t.false(/important|answered/i.test(JSON.stringify(history)), `${name} holds words`);
  }
  t.deepEqual([...types].toSorted(), Object.keys(workflows).toSorted(), 'of every workflow');
});
