// A second organization requests everything that the first one made: it receives the answers that
// it would receive for names that do not exist.
import { randomUUID } from 'node:crypto';
import { call, startBatch, untilBatch, uploadFile } from '../support/batches.ts';
import type { TestAccount } from '../support/database.ts';
import { transcribe, type Answer } from '../support/stack.ts';
import type { Recording } from './clients.ts';

export interface Neighbours {
  readonly base: string;
  readonly account: TestAccount;
  readonly stranger: TestAccount;
  readonly recording: Recording;
}

/** What one organization has, by name. */
interface Belongings {
  readonly file: string;
  readonly batch: string;
  /** Of a completed transcription. */
  readonly request: string;
  readonly session: string;
  readonly sessionRequest: string;
}

/** @returns what the second organization saw or changed, in words; empty when all is well */
export async function seenByStranger(neighbours: Neighbours): Promise<readonly string[]> {
  const { base, account, stranger } = neighbours;
  const theirs = await makeBelongings(neighbours);
  const absent = absentLike(theirs);
  const questions = await questionsOf(neighbours);
  const broken: string[] = [];
  for (const [name, ask] of questions) {
    const [told, reference] = [await ask(theirs), await ask(absent)];
    if (wordsOf(told, theirs) !== wordsOf(reference, absent)) {
      broken.push(`a stranger was told ${told.status} ${JSON.stringify(told.body)}: ${name}`);
    }
  }
  const secrets = [theirs.file, theirs.batch, account.organizationId, account.keyId];
  for (const path of ['/v1/files', '/v1/batches', '/v1/models']) {
    const list = JSON.stringify((await call({ base, account: stranger }, path)).body);
    if (secrets.some((secret) => list.includes(secret))) broken.push(`a stranger saw ${path}`);
  }
  for (const path of [`/v1/files/${theirs.file}`, `/v1/batches/${theirs.batch}`]) {
    const { status } = await call({ base, account }, path);
    if (status !== 200) broken.push(`after a stranger's questions ${path} is ${status}`);
  }
  return broken;
}

async function makeBelongings({ base, account, recording }: Neighbours): Promise<Belongings> {
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
function absentLike({ file, batch, session, sessionRequest }: Belongings): Belongings {
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

type Ask = (belongings: Belongings) => Promise<Answer>;

/** Every operation of the API that has a name in its path, and the paths that bypass routing. */
async function questionsOf({
  base,
  stranger,
  recording,
}: Neighbours): Promise<readonly (readonly [string, Ask])[]> {
  const service = { base, account: stranger };
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
  const named = Object.entries(document.paths).filter(([path]) => path.includes('{'));
  const operations = named.flatMap(([path, methods]) =>
    Object.keys(methods).map((method): readonly [string, Ask] => [
      `${method} ${path}`,
      async (belongings) => {
        const kind = path.startsWith('/v1/files/') ? 'file' : 'batch';
        const filled = path.replace('{id}', belongings[kind]).replace('{index}', '0');
        return call(service, filled, { method: method.toUpperCase() });
      },
    ]),
  );
  const items = ({ file }: Belongings) => [{ custom_id: 'item', file_id: file }];
  return [
    ...operations,
    [
      'a batch of their file',
      (belongings) =>
        call(service, '/v1/batches', {
          method: 'POST',
          body: { task: 'transcription', items: items(belongings) },
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
function wordsOf({ status, body }: Answer, belongings: Belongings): string {
  const fresh = new Set(['id', 'request_id', 'inference_ms', 'created_at']);
  const text = JSON.stringify(body, (name, value: unknown) => (fresh.has(name) ? null : value));
  const plain = Object.values(belongings).reduce<string>(
    (known, name: string) => known.replaceAll(name, '*'),
    text,
  );
  return `${status} ${plain}`;
}
