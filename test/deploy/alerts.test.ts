// The alerts ask for metrics that there are, and lead to a heading that there is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import test from 'ava';
import { Registry } from 'prom-client';
import { parse } from 'yaml';
import { createWorkerMetrics } from '../../activities/metrics.ts';
import { httpMetrics } from '../../api/http/metrics.ts';
import { registerBacklog } from '../../bin/process/backlog.ts';

const root = join(import.meta.dirname, '..', '..');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook: string };
    }[];
  }[];
}

const rules = (
  parse(readFileSync(join(root, 'deploy', 'prometheus', 'alerts.yaml'), 'utf8')) as Rules
).groups.flatMap((group) => group.rules);

/** As GitHub makes them of headings. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

test('every alert asks for metrics that a process has', async (t) => {
  const registry = new Registry();
  createWorkerMetrics(registry);
  httpMetrics(registry);
  const workflowService = { describeTaskQueue: () => Promise.resolve({}) };
  registerBacklog(registry, {
    workflowService: workflowService as unknown as Connection['workflowService'],
    ...{ namespace: 'n', taskQueue: 'q' },
  });
  const known = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  t.true(rules.length >= 6);
  for (const { alert, expr } of rules) {
    const asked = [...expr.matchAll(/\b(svc|http)_\w+/g)]
      .map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
      .filter((name) => !/^http_(request|response|route)/.test(name));
    t.true(asked.length > 0, alert);
    for (const name of asked) t.true(known.includes(name), `${alert}: ${name}`);
  }
});

test('every alert names the heading of its runbook', (t) => {
  const text = readFileSync(join(root, 'docs', 'operations.md'), 'utf8');
  const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => anchor(heading!));
  for (const { alert, annotations } of rules) {
    const [path, name = ''] = annotations.runbook.split('#');
    t.is(path, 'docs/operations.md');
    t.true(anchors.includes(name), `${alert}: ${name}`);
  }
});
