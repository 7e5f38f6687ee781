// The memory limits of an API in deploy/ hold what its code may take, or one organization's uploads
// end it for everybody.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { maxBatchBytes } from '../../api/batches/routes.ts';
import { maxBatchBodies, maxUploads } from '../../api/http/body-slots.ts';
import { defaultHeapMebibytes } from '../../api/offload/process-queue.ts';
import { partBufferLimits } from '../../db/objects/object-upload.ts';

const deploy = join(import.meta.dirname, '..', '..', 'deploy');
const mebibyte = 2 ** 20;
/** The process itself under load (ADR 47: 94 MiB without), and what a child has beside its heap. */
const processBytes = 256 * mebibyte;
const besideHeapBytes = 128 * mebibyte;
/** The parser of batches and the writer of results, each with one process. */
const children = 2;

const { partBytes, maxExtra } = partBufferLimits;
const neededBytes =
  processBytes +
  maxBatchBodies * maxBatchBytes +
  (maxUploads + maxExtra) * partBytes +
  children * (defaultHeapMebibytes * mebibyte + besideHeapBytes);

test('the unit of an API has the memory of all that it admits', (t) => {
  const unit = readFileSync(join(deploy, 'systemd', 'svc-speech-api.service'), 'utf8');
  const [, gibibytes] = /^MemoryMax=(\d+)G$/m.exec(unit)!;
  t.true(Number(gibibytes) * 1_024 * mebibyte >= neededBytes, `${neededBytes / mebibyte} MiB`);
});

test('a unit outlives a child that is ended for its memory', (t) => {
  for (const role of ['api', 'worker', 'stream-worker']) {
    const unit = readFileSync(join(deploy, 'systemd', `svc-speech-${role}.service`), 'utf8');
    t.regex(unit, /^OOMPolicy=continue$/m, role);
  }
});

test('so has its pod', (t) => {
  const values = parse(readFileSync(join(deploy, 'helm', 'values.yaml'), 'utf8')) as {
    readonly api: { readonly resources: { readonly limits: { readonly memory: string } } };
  };
  const [, gibibytes] = /^(\d+)Gi$/.exec(values.api.resources.limits.memory)!;
  t.true(Number(gibibytes) * 1_024 * mebibyte >= neededBytes, `${neededBytes / mebibyte} MiB`);
});
