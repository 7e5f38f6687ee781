// What `svc doctor` tells of models and of the settings that choose them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { examineChoice, examineModels } from '../../../bin/commands/examine-software.ts';
import { noAssignments } from '../../../models/bundles/assignments.ts';
import { testServers } from '../../support/environment.ts';

test('a choice that no process would start with is a finding', async (t) => {
  const { modelsDirectory: SVC_MODELS_DIR } = testServers();
  const examined = (choice: Record<string, string>) => examineChoice({ SVC_MODELS_DIR, ...choice });
  t.like(await examined({}), { healthy: true, detail: 'moonshine-tiny-en' });
  const mistyped = await examined({ SVC_ENGLISH_BUNDLE: 'moonshine-bse-en' });
  t.false(mistyped.healthy);
  t.regex(mistyped.detail, /^SVC_ENGLISH_BUNDLE: .*moonshine-bse-en/);
  const missing = await examined({ SVC_ASSIGNMENTS: 'svc-resonance.recognition=whisper-none' });
  t.false(missing.healthy);
  t.regex(missing.detail, /^SVC_ASSIGNMENTS: the bundle whisper-none is not installed/);
});

test('models are not missed on a machine without their folder, as that of an API', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const inUse = { english: 'moonshine-tiny-en', assignments: noAssignments };
  const nowhere = join(folder, 'none');
  const detail = `not checked from here: there is no folder ${nowhere}`;
  const none = { part: 'Models', healthy: true, version: null, latencyMs: null, detail };
  t.deepEqual(await examineModels(nowhere, inUse), [none]);
  const missed = (await examineModels(folder, inUse)).filter(({ healthy }) => !healthy);
  t.true(missed.some(({ part }) => part === 'Model moonshine-tiny-en'));
});
