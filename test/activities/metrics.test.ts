// The metrics that Prometheus scrapes.
import test from 'ava';
import type { AddressInfo } from 'node:net';
import { createRegistry, serveMetrics } from '../../bin/process/metrics.ts';
import { createWorkerMetrics } from '../../activities/metrics.ts';

test('a worker’s work is counted by task, model and lane', async (t) => {
  const registry = createRegistry('batch-worker');
  const metrics = createWorkerMetrics(registry);
  metrics.job({ kind: 'analyze', priority: 3, waitMs: 40, runMs: 200, blockingMs: 120 });
  metrics.completed({
    ...{ task: 'analysis', model: 'svc-resonance', bulk: true },
    ...{ audioSeconds: 10, inferenceSeconds: 0.2 },
  });
  const server = await serveMetrics(registry, { host: '127.0.0.1', port: 0 });
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
  t.is(count('svc_inference_seconds_sum', 'job="analyze"', 'lane="bulk"'), 0.2);
  t.is(count('svc_queue_wait_seconds_count', 'lane="bulk"'), 1);
  t.is(count('svc_real_time_factor_bucket', 'le="0.02"', ...own), 1);
  t.is(count('svc_real_time_factor_bucket', 'le="0.015"', ...own), 0);
  t.regex(text, /process_cpu_seconds_total/);
  t.is((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
  t.is(await serveMetrics(registry, { host: '127.0.0.1', port: null }), null);
});
