// `svc models`: a published model is converted, listed with its users, and described.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { callSvc } from '../../support/svc.ts';
import { nemoCases, twinSeed } from '../../twins/cases.ts';
import { writeNemoTwin } from '../../twins/nemo-twin.ts';

test('a model is pulled from a folder, assigned, listed and described', async (t) => {
  const work = mkdtempSync(join(tmpdir(), 'svc-models-'));
  t.teardown(() => rmSync(work, { recursive: true }));
  const published = join(work, 'published');
  writeNemoTwin(nemoCases[0]!, twinSeed, published);
  const environment = { SVC_MODELS_DIR: join(work, 'models'), SVC_ASSIGNMENTS: '' };
  const models = (...args: readonly string[]) => callSvc(environment, 'models', ...args);
  const pulled = await models('pull', 'small-tdt', '--from', published);
  t.regex(pulled.stdout, /^✓ small-tdt [0-9a-f]{12} \(nemo-tdt, 0\.\d MiB\)$/m, pulled.stderr);
  environment.SVC_ASSIGNMENTS = 'svc-fourier.recognition=small-tdt';
  const { stdout } = await models('list');
  t.regex(stdout, /^✓ small-tdt .* installed {2}\(svc-fourier\)$/m);
  t.regex(stdout, /^✗ whisper-base .* config\.json is missing/m, 'only what was pulled is there');
  const card = await models('card', 'small-tdt');
  t.regex(
    card.stdout,
    /token-and-duration transducer.*encoder-model\.onnx \| \d+ \| [0-9a-f]{64}/s,
  );
  const others = await models('card', 'whisper-base');
  t.regex(others.stdout, /license: MIT\n- published at pypi: package \S+, with \S+, version 1/);
  const nothing = await models('pull', 'other', '--from', join(work, 'models'));
  t.is(nothing.code, 1);
  t.regex(nothing.stderr, /^other was not converted: there is no model in .*ggml-/);
});
