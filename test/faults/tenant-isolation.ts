// A second organization requests everything that the first one made: it receives the answers that
// it would receive for names that do not exist.
import { randomUUID } from 'node:crypto';
import { call, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import type { TestAccount } from '../support/database.ts';
import { transcribe, type Answer } from '../support/stack.ts';
import type { Recording } from './clients.ts';

export interface Tenants {
  readonly base: string;
  readonly account: TestAccount;
  readonly otherAccount: TestAccount;
  readonly recording: Recording;
}

/** What one organization has, by name. */
interface Resources {
  readonly file: string;
  readonly batch: string;
  /** Of a completed transcription. */
  readonly request: string;
  readonly session: string;
  readonly sessionRequest: string;
}

/** @returns what the second organization saw or changed, as sentences; empty without leaks */
export async function crossTenantLeaks(tenants: Tenants): Promise<readonly string[]> {
  const { base, account, otherAccount } = tenants;
  const existing = await createResources(tenants);
  const absent = absentLike(existing);
  const operations = await operationsOf(tenants);
  const broken: string[] = [];
  for (const [name, execute] of operations) {
    const [answer, reference] = [await execute(existing), await execute(absent)];
    if (comparableText(answer, existing) !== comparableText(reference, absent)) {
      broken.push(
        `another tenant was answered ${answer.status} ${JSON.stringify(answer.body)}: ${name}`,
      );
    }
  }
  const secrets = [existing.file, existing.batch, account.organizationId, account.keyId];
  for (const path of ['/v1/files', '/v1/batches', '/v1/models']) {
    const list = JSON.stringify((await call({ base, account: otherAccount }, path)).body);
    if (secrets.some((secret) => list.includes(secret))) broken.push(`another tenant saw ${path}`);
  }
  for (const path of [`/v1/files/${existing.file}`, `/v1/batches/${existing.batch}`]) {
    const { status } = await call({ base, account }, path);
    if (status !== 200) broken.push(`after another tenant's calls ${path} is ${status}`);
  }
  return broken;
}

async function createResources({ base, account, recording }: Tenants): Promise<Resources> {
  const service = { base, account };
  const file = await uploadFile(service, recording.file);
  const { id: batch } = await startBatch(service, [file]);
  await untilBatch(service, batch);
  const request = randomUUID();
  await transcribe(service, recording.file, { requestId: request });
  const session = await call(service, '/v1/audio/sessions', {
    method: 'POST',
    body: { model: 'svc-spectra-2', id: randomUUID() },
  });
  if (session.status !== 200) throw new Error(JSON.stringify(session.body));
  const { token, request_ids: ids } = session.body;
  return { file, batch, request, session: token, sessionRequest: ids[0] };
}

/** Names of the same form that do not exist. */
function absentLike({ file, batch, session, sessionRequest }: Resources): Resources {
  const turned = (name: string): string =>
    name.slice(0, -6) + name.slice(-6).replaceAll(/./g, next);
  return {
    file: turned(file),
    batch: turned(batch),
    request: randomUUID(),
    session: turned(session),
    sessionRequest: turned(sessionRequest),
  };
}

function next(character: string): string {
  return /[a-e0-8]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 1) : '0';
}

type Operation = (resources: Resources) => Promise<Answer>;

/** Every operation of the API that has a name in its path, and the paths that bypass routing. */
async function operationsOf({
  base,
  otherAccount,
  recording,
}: Tenants): Promise<readonly (readonly [string, Operation])[]> {
  const service = { base, account: otherAccount };
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
  const named = Object.entries(document.paths).filter(([path]) => path.includes('{'));
  const operations = named.flatMap(([path, methods]) =>
    Object.keys(methods).map((method): readonly [string, Operation] => [
      `${method} ${path}`,
      async (resources) => {
        const kind = path.startsWith('/v1/files/') ? 'file' : 'batch';
        const filled = path.replace('{id}', resources[kind]).replace('{index}', '0');
        return call(service, filled, { method: method.toUpperCase() });
      },
    ]),
  );
  const items = ({ file }: Resources) => [{ custom_id: 'item', file_id: file }];
  return [
    ...operations,
    [
      'a batch of their file',
      (resources) =>
        call(service, '/v1/batches', {
          method: 'POST',
          body: { task: 'transcription', items: items(resources) },
        }),
    ],
    [
      'a transcription under their request id',
      ({ request }) => transcribe(service, recording.file, { requestId: request }),
    ],
    [
      "a stream on their session's token",
      ({ session, sessionRequest }) =>
        call(service, '/v1/audio/stream-sessions', {
          method: 'POST',
          body: { model: 'svc-spectra-2', task: 'transcription' },
          headers: { 'X-Svc-Session': session, 'X-Request-ID': sessionRequest },
        }),
    ],
  ];
}

interface OpenApi {
  readonly paths: Readonly<Record<string, object>>;
}

/** Without the values that are new in every answer, and without the requested names. */
function comparableText({ status, body }: Answer, resources: Resources): string {
  const fresh = new Set(['id', 'request_id', 'inference_ms', 'created_at']);
  const text = JSON.stringify(body, (name, value: unknown) => (fresh.has(name) ? null : value));
  const plain = Object.values(resources).reduce<string>(
    (known, name: string) => known.replaceAll(name, '*'),
    text,
  );
  return `${status} ${plain}`;
}
