// What `svc doctor` tells of the settings that choose models.
import test from 'ava';
import { examineChoice } from '../../../bin/commands/examine-software.ts';
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
