// The metrics that Prometheus scrapes.
import test from 'ava';
import type { AddressInfo } from 'node:net';
import { createRegistry, serveProbes } from '../../bin/process/probes.ts';
import { createWorkerMetrics } from '../../activities/metrics.ts';

test('a worker’s work is counted by task, model and lane', async (t) => {
  const registry = createRegistry('batch-worker');
  const metrics = createWorkerMetrics(registry);
  metrics.job({ kind: 'analyze', priority: 3, waitMs: 40, runMs: 200, blockingMs: 120 });
  metrics.completed({
    ...{ task: 'analysis', model: 'svc-resonance', bulk: true },
    ...{ audioSeconds: 10, inferenceSeconds: 0.2 },
  });
  metrics.failed({ code: 'audio_undecodable', bulk: true });
  metrics.failed({ code: 'internal_error', bulk: false });
  metrics.failed({ code: 'internal_error', bulk: true, count: 7 });
  metrics.webhook({ outcome: 'failed', lagSeconds: 1 });
  metrics.webhook({ outcome: 'delivered', lagSeconds: 40 });
  let missing: string | null = 'starting';
  const here = { SVC_METRICS_HOST: '127.0.0.1' };
  const probes = { registry, missing: () => missing };
  const server = await serveProbes(probes, { ...here, SVC_METRICS_PORT: 0 });
  t.teardown(() => void server?.close());
  const { port } = server!.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const count = (name: string, ...labels: readonly string[]): number => {
    const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`));
    const line = lines.find((each) => labels.every((label) => each.includes(label)));
    return Number(line?.split(' ').at(-1));
  };
  const own = ['task="analysis"', 'model="svc-resonance"', 'process="batch-worker"'];
  t.is(count('svc_audio_seconds_total', ...own, 'lane="bulk"'), 10);
  t.is(count('svc_inference_seconds_sum', 'kind="analyze"', 'lane="bulk"'), 0.2);
  t.is(count('svc_queue_wait_seconds_count', 'lane="bulk"'), 1);
  t.is(count('svc_real_time_factor_bucket', 'le="0.02"', ...own), 1);
  t.is(count('svc_real_time_factor_bucket', 'le="0.015"', ...own), 0);
  t.is(count('svc_failures_total', 'code="audio_undecodable"', 'fault="caller"', 'lane="bulk"'), 1);
  const ours = ['code="internal_error"', 'fault="service"'];
  t.is(count('svc_failures_total', ...ours, 'lane="callers"'), 1);
  t.is(count('svc_failures_total', ...ours, 'lane="bulk"'), 7);
  t.is(count('svc_webhook_attempts_total', 'outcome="failed"'), 1);
  t.is(count('svc_webhook_lag_seconds_bucket', 'le="30"'), 0);
  t.is(count('svc_webhook_lag_seconds_bucket', 'le="60"'), 1);
  t.regex(text, /process_cpu_seconds_total/);
  t.is((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  const ask = async (path: string): Promise<readonly [number, string]> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.text()];
  };
  t.deepEqual(await ask('/livez'), [200, '{"status":"ok"}\n']);
  t.deepEqual(await ask('/readyz'), [503, '{"status":"not ready","reason":"starting"}\n']);
  missing = null;
  t.deepEqual(await ask('/readyz'), [200, '{"status":"ready"}\n']);
  t.is(await serveProbes(probes, here), null);
});

test('what has not happened yet is 0, so that the first time is an increase', async (t) => {
  const registry = createRegistry('batch-worker');
  createWorkerMetrics(registry);
  const valuesOf = async (name: string): Promise<readonly string[]> => {
    const { values } = (await registry.getSingleMetric(name)!.get()) as {
      readonly values: readonly { readonly value: number; readonly labels: object }[];
    };
    t.true(
      values.every(({ value }) => value === 0),
      name,
    );
    return values.map(({ labels }) => Object.values(labels).join(' '));
  };
  const failures = await valuesOf('svc_failures_total');
  for (const code of ['internal_error', 'not_ready', 'timeout']) {
    for (const lane of ['callers', 'bulk']) t.true(failures.includes(`${code} service ${lane}`));
  }
  t.false(failures.some((labels) => labels.includes('caller ')));
  const recordings = await valuesOf('svc_recordings_total');
  t.deepEqual(recordings, await valuesOf('svc_audio_seconds_total'));
  t.true(recordings.includes('analysis svc-resonance bulk'));
  t.true(recordings.includes('transcription svc-svceet callers'));
  t.false(recordings.includes('transcription svc-svceet bulk'), 'a batch cannot name it');
  t.is(new Set(recordings).size, recordings.length);
  const outcomes = ['delivered', 'failed', 'gone', 'unsent', 'waited'];
  t.deepEqual(await valuesOf('svc_webhook_attempts_total'), outcomes);
});
