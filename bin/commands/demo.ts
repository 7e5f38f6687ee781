// The demonstration of `npm start`: a key, the transcript of the sample call, and addresses.
import { defaultModel } from '../../models/contract/served-models.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findAccountByKey } from '../../db/accounts.ts';
import { createKey } from '../../db/api-keys.ts';
import { createOrganization } from '../../db/organizations.ts';
import { openDatabase } from '../../db/database.ts';
import { recordingFrom } from '../../clients/typescript/src/node.ts';
import { SpeechServiceError } from '../../clients/typescript/src/service-error.ts';
import { connect } from '../client/address.ts';
import { writePrivateFile } from '../stack/secrets.ts';
import { repositoryRoot } from '../settings/stack-settings.ts';
import { transcriptLines } from '../client/transcript-view.ts';

export interface DemoOptions {
  readonly baseUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
  /** Port of the embedded Temporal UI; null when Temporal runs elsewhere. */
  readonly uiPort: number | null;
}

const actor = 'svc start';
const samplePath = join(repositoryRoot, 'samples', 'call.mp3');

/** Analyses the sample through the HTTP API and prints transcript, key and addresses. */
export async function demonstrate(options: DemoOptions): Promise<void> {
  const key = await ensureDemoKey(options);
  const sample = relative(process.cwd(), samplePath);
  process.stdout.write(`\nAnalysing ${sample} through the API:\n`);
  for (const line of await analyseSample(options.baseUrl, key)) {
    process.stdout.write(`  ${line}\n`);
  }
  const addresses = [
    ['API', options.baseUrl],
    ['Console', `${options.baseUrl}/console`],
    ['Key', key],
    ...(options.uiPort === null ? [] : [['Temporal UI', `http://127.0.0.1:${options.uiPort}`]]),
    ['Logs', join(options.dataDirectory, 'logs')],
  ];
  process.stdout.write('\n');
  for (const [name = '', value] of addresses) {
    process.stdout.write(`  ${name.padEnd(12)} ${value}\n`);
  }
  process.stdout.write(
    `\n  curl -H "Authorization: Bearer ${key}" -F model=${defaultModel} \\\n` +
      `    -F file=@${sample} ${options.baseUrl}/v1/audio/transcriptions\n`,
  );
}

/**
 * The key of the demo organization, kept in the data directory and created anew for a new database.
 */
async function ensureDemoKey(options: {
  readonly environment: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
}): Promise<string> {
  const path = join(options.dataDirectory, 'demo-key');
  const db = openDatabase(options.environment.DATABASE_URL ?? '');
  try {
    if (existsSync(path)) {
      const known = readFileSync(path, 'utf8').trim();
      if ((await findAccountByKey(db, known)) !== null) return known;
    }
    const organizationId = await createOrganization(db, {
      name: 'Demo',
      plan: 'subscription',
      allowanceSeconds: 100 * 3600,
      // A trial of the service should never exhaust an allowance.
      overageSeconds: null,
      actor,
    });
    const { key } = await createKey(db, { organizationId, mode: 'test', actor });
    writePrivateFile(path, `${key}\n`);
    return key;
  } finally {
    await db.destroy();
  }
}

async function analyseSample(base: string, key: string): Promise<readonly string[]> {
  const started = performance.now();
  try {
    const { audio } = connect({ base, key });
    const recording = await recordingFrom(samplePath);
    const result = await audio.transcription(recording, { model: defaultModel });
    return transcriptLines(result, (performance.now() - started) / 1_000);
  } catch (error) {
    if (!(error instanceof SpeechServiceError)) throw error;
    return [`the API answered ${error.code}: ${error.message}`];
  }
}
