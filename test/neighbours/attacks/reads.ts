// Reading: archives, searches, lists and documents, which cost the service more than the caller.
import { longCall } from '../../bench/recordings.ts';
import { encode, speech, toWav } from '../../support/speech.ts';
import {
  postFile,
  requestJson,
  startBatch,
  storm,
  untilEnded,
  type Attack,
  type Target,
} from '../attack.ts';
import { hourLongCall } from './recordings.ts';

/** A batch that has ended, of so many copies of one recording. */
async function finishedBatch(
  target: Target,
  file: Buffer,
  { count, signal }: { readonly count: number; readonly signal: AbortSignal },
): Promise<string> {
  const fileId = (await postFile(target, { file, signal }))!;
  const id = await startBatch(target, { fileId, count, signal });
  await untilEnded(target, id, signal);
  return id;
}

async function finishedClips(target: Target, signal: AbortSignal): Promise<string> {
  const file = toWav(await speech('Please hold the line for a moment.'));
  return finishedBatch(target, file, { count: 200, signal });
}

/** Every item of it is too short. */
function failedBatch(target: Target, signal: AbortSignal): Promise<string> {
  return finishedBatch(target, toWav(new Int16Array(100)), { count: 2_000, signal });
}

async function cancelBatches(target: Target, signal: AbortSignal): Promise<void> {
  const { data } = await requestJson(target, '/v1/batches?limit=100', { method: 'GET', signal });
  const ids = (data as { readonly id: string }[]).map(({ id }) => id);
  for (const id of ids) await requestJson(target, `/v1/batches/${id}/cancel`, { signal });
  for (const id of ids) await untilEnded(target, id, signal);
}

async function read({ base, key }: Target, path: string, signal: AbortSignal): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const { body } = await fetch(base + path, { headers, signal });
  for await (const _ of body ?? []);
}

export const readingAttacks: readonly Attack[] = [
  {
    name: 'export-floods',
    does: 'archives of 20 calls of two minutes as pages, eight at a time',
    prepare: async (target, signal) => {
      const file = await encode(toWav(await longCall(2)), 'mp3', ['-b:a', '48k']);
      return finishedBatch(target, file, { count: 20, signal });
    },
    run: (target, signal, id) =>
      storm(8, signal, () => read(target, `/v1/batches/${id}/export?format=html`, signal)),
  },
  {
    name: 'result-floods',
    does: 'results of 200 clips as lines, sixteen at a time',
    prepare: finishedClips,
    run: (target, signal, id) =>
      storm(16, signal, () => read(target, `/v1/batches/${id}/results`, signal)),
  },
  {
    name: 'sound-floods',
    does: 'the sound of a call of an hour, as the console plays it, sixteen at a time',
    prepare: async (target, signal) => {
      const fileId = (await postFile(target, { file: await hourLongCall(), signal }))!;
      return startBatch(target, { fileId, count: 1, signal });
    },
    run: (target, signal, id) =>
      storm(16, signal, () => read(target, `/console/data/audio?batch=${id}&item=0`, signal)),
  },
  {
    name: 'job-floods',
    does: 'lists of a hundred jobs of Hume that name a hundred addresses each, 32 at a time',
    prepare: async (target, signal) => {
      const urls = Array.from({ length: 100 }, (_, i) => `https://localhost/${i}.wav`);
      const body = { models: { prosody: {} }, urls };
      for (let i = 0; i < 100; i += 1) {
        await requestJson(target, '/compat/hume/v0/batch/jobs', { body, signal });
      }
      // Its items would cost others more than their lists.
      await cancelBatches(target, signal);
      return '';
    },
    run: (target, signal) =>
      storm(32, signal, () => read(target, '/compat/hume/v0/batch/jobs?limit=100', signal)),
  },
  {
    name: 'overview-floods',
    does: 'overviews of the console over 90 days, 32 at a time',
    prepare: finishedClips,
    run: (target, signal) =>
      storm(32, signal, () => read(target, '/console/data/overview?days=90', signal)),
  },
  {
    name: 'search-floods',
    does: 'searches of 200 results for words that are not there, 32 at a time',
    prepare: finishedClips,
    async run(target, signal) {
      const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join('+or+');
      const path = `/console/data/recordings?limit=100&q=${words}`;
      await storm(32, signal, () => read(target, path, signal));
    },
  },
  {
    name: 'list-floods',
    does: 'pages of a thousand items of a batch that has failed, 32 at a time',
    prepare: failedBatch,
    run: (target, signal, id) =>
      storm(32, signal, () => read(target, `/v1/batches/${id}/items?limit=1000`, signal)),
  },
  {
    name: 'short-list-floods',
    does: 'pages of one of its items, 64 at a time',
    prepare: failedBatch,
    run: (target, signal, id) =>
      storm(64, signal, () => read(target, `/v1/batches/${id}/items?limit=1`, signal)),
  },
  {
    name: 'document-floods',
    does: 'the API description and the guides without a key, 64 at a time',
    async run(target, signal) {
      const paths = ['/openapi.json', '/docs/api', '/docs/reference', '/docs/assets/search.json'];
      const nobody = { ...target, key: '' };
      await storm(64, signal, (lane) => read(nobody, paths[lane % paths.length]!, signal));
    },
  },
  {
    name: 'session-floods',
    does: 'sessions that are prepared and left, sixteen at a time',
    run: (target, signal) =>
      storm(16, signal, () => {
        const body = { model: 'svc-spectra-2', id: crypto.randomUUID() };
        return requestJson(target, '/v1/audio/sessions', { body, signal });
      }),
  },
  {
    name: 'presign-floods',
    does: 'uploads that are announced and never sent, 32 at a time',
    run: (target, signal) =>
      storm(32, signal, () => {
        const body = { filename: 'call.mp3', bytes: 1_000_000 };
        return requestJson(target, '/v1/files/presign', { body, signal });
      }),
  },
];
