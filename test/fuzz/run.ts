// `npm run fuzz [-- SEED [EXAMPLES]]`: schemathesis against every operation, and generated clients
// that transcribe.
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { limitKey } from '../../db/api-keys.ts';
import { decideAccess } from '../../db/model-access.ts';
import { changeTerms } from '../../db/organizations.ts';
import { startServices } from '../runner/services.ts';
import { collectCleanup } from '../support/cleanup.ts';
import { pythonTools, show } from '../support/python-tools.ts';
import { speech, toWav } from '../support/speech.ts';
import { testStack, untilReady } from '../support/stack.ts';
import { traces } from '../support/traces.ts';
import { fuzzStreams } from './streams.ts';
import { pythonTranscript, typescriptTranscript, type ClientTarget } from './generated-clients.ts';

const seed = process.argv[2] ?? '20261121';
/** Of an operation in its fuzzing phase; the phases together make more than 10,000. */
const examples = process.argv[3] ?? '700';
const sentence = 'Please call me back tomorrow morning.';

const cleanup = collectCleanup();
const services = await startServices();
cleanup.teardown(() => services.stop());
Object.assign(process.env, services.environment);
let failed = 0;

try {
  const stack = await testStack(cleanup, { patient: false, streams: true });
  const { organizationId, keyId, key } = stack.account;
  const actor = 'fuzz';
  // Each session that is prepared reserves minutes.
  const terms = { plan: 'subscription', allowanceSeconds: 0, overageSeconds: null } as const;
  await changeTerms(stack.db, { organizationId, actor, termsAfter: () => terms });
  await limitKey(stack.db, keyId, { limits: { requestsPerMinute: 1e6 }, actor });
  const model = 'svc-resonance-2';
  await decideAccess(stack.db, { organizationId, model, status: 'approved', actor });
  await untilReady(stack);
  const requirements = join(import.meta.dirname, 'requirements.txt');
  const python = join(await pythonTools({ name: 'fuzz', requirements }), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'svc-fuzz-'));
  cleanup.teardown(() => rmSync(folder, { recursive: true }));

  const options = ['--checks', 'all', '--max-examples', examples, '--seed', seed];
  // Random bytes are not a recording: even what the schema allows is rejected.
  const besides = ['--exclude-checks', 'positive_data_acceptance', '--request-timeout', '60'];
  const auth = ['-H', `Authorization: Bearer ${key}`];
  const address = `${stack.base}/openapi.json`;
  const schemathesis = join(python, 'schemathesis');
  process.env.SCHEMATHESIS_HOOKS = join(import.meta.dirname, 'hooks.py');
  const config = ['--config-file', join(import.meta.dirname, 'schemathesis.toml')];
  const args = [...config, 'run', address, ...auth, ...options, ...besides, '--no-color'];
  check('schemathesis finds nothing', (await show(schemathesis, args, folder)) === 0);
  const faults = await fuzzStreams(stack, Number(seed), 200);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  check('the live streams and Realtime sessions answer as documented', faults.length === 0);

  const { debits, objectKeys } = await traces(stack);
  check('no case was charged, none left an object', debits.length + objectKeys.length === 0);

  const recording = join(folder, 'call.wav');
  await writeFile(recording, toWav(await speech(sentence)));
  const target: ClientTarget = { base: stack.base, key, folder, recording, python };
  const words = /call me back/i;
  check('the TypeScript client transcribes', words.test(await typescriptTranscript(target)));
  check('the Python client transcribes', words.test(await pythonTranscript(target)));
} finally {
  await cleanup.finish();
}
process.exit(failed === 0 ? 0 : 1);

function check(what: string, holds: boolean): void {
  if (!holds) failed += 1;
  process.stdout.write(`${holds ? '✓' : '✗'} ${what}\n`);
}
