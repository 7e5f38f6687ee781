// The tools `batch`, which starts one, and `status`, which tells how far one is.
import { z } from 'zod';
import { batchIdPattern } from '../../../api/batches/schemas.ts';
import type { Batch, BatchItem, BatchRequest } from '../../../clients/typescript/src/schemas.ts';
import { namesOf, readRecording } from './paths.ts';
import { analysisFields } from './request-fields.ts';
import type { Tool, ToolCall } from './tool.ts';

const maxRecordings = 1_000;
const listedBatches = 10;
const listedItems = 50;

const input = z.object({
  paths: z
    .array(z.string().min(1))
    .max(maxRecordings)
    .default([])
    .describe('Absolute paths of recordings on this machine.'),
  urls: z
    .array(z.string().min(1))
    .max(maxRecordings)
    .default([])
    .describe('Addresses that the service fetches: https://… or s3://BUCKET/KEY.'),
  ...analysisFields,
  channels: z
    .enum(['mix', 'separate'])
    .default('mix')
    .describe('separate: one speaker per channel, as in call recordings.'),
  idempotency_key: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Give the same key to repeat a call that may have failed: nothing is done twice.'),
});

export const batchTool: Tool<typeof input> = {
  name: 'batch',
  title: 'Start a batch',
  description:
    'Uploads recordings and starts their analysis in the background. Returns the id of the batch ' +
    'at once: `status` tells how far it is, `export` reads its results. Costs plan minutes.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  run: async ({ paths, urls, idempotency_key: key = crypto.randomUUID(), ...fields }, call) => {
    const { client, signal } = call;
    if (paths.length + urls.length === 0) throw new Error('give `paths`, `urls` or both');
    const names = namesOf([...paths, ...urls]);
    const items: BatchRequest['items'][number][] = urls.map((url, i) => {
      return { custom_id: names[paths.length + i]!, source: { url } };
    });
    for (const [i, path] of paths.entries()) {
      const options = { idempotencyKey: `${key}/${i}`, signal };
      const { id } = await client.files.upload(await readRecording(path), options);
      items.push({ custom_id: names[i]!, file_id: id });
      call.progress({ done: i + 1, total: paths.length, message: 'uploaded' });
    }
    const { task, model, ...options } = fields;
    const order = { task, model, options, items } as BatchRequest;
    const batch = await client.batches.create(order, { idempotencyKey: key, signal });
    return { text: lineOf(batch), data: { batch } };
  },
};

const statusInput = z.object({
  batch_id: z
    .string()
    .regex(batchIdPattern)
    .optional()
    .describe(`Absent: the newest ${listedBatches} batches.`),
  wait: z.boolean().default(false).describe('Answers once the batch has ended.'),
});

export const statusTool: Tool<typeof statusInput> = {
  name: 'status',
  title: 'Status of batches',
  description:
    `How far a batch is, and its first ${listedItems} items with their errors; ` +
    'without an id, the newest batches.',
  input: statusInput,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: async ({ batch_id: id, wait }, call) => {
    const { batches } = call.client;
    const { signal } = call;
    if (id === undefined) {
      const { data } = await batches.list({ limit: listedBatches, signal });
      return { text: data.map(lineOf).join('\n') || 'no batches', data: { batches: data } };
    }
    const batch = wait ? await ended(id, call) : await batches.read(id, { signal });
    const { data: items } = await batches.items(id, { limit: listedItems, signal });
    const text = [lineOf(batch), ...items.map(itemLine)].join('\n');
    return { text, data: { batch, items } };
  },
};

function ended(id: string, { client, signal, progress }: ToolCall): Promise<Batch> {
  return client.batches.wait(id, {
    signal,
    onProgress: ({ request_counts: counts, status }) => {
      const { total, completed, failed, cancelled } = counts;
      progress({ done: completed + failed + cancelled, total, message: status });
    },
  });
}

function lineOf({ id, status, task, request_counts: counts, audio_seconds: audio }: Batch): string {
  const { total, completed, failed } = counts;
  const done = `${completed} of ${total} completed, ${failed} failed`;
  return `${id}: ${status}, ${task}, ${done}, ${audio.done} s charged`;
}

function itemLine({ index, custom_id: name, status, error }: BatchItem): string {
  return `  ${index} ${name}: ${status}${error ? `, ${error.code}: ${error.message}` : ''}`;
}
