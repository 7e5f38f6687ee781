// The alerts ask for metrics that there are, and lead to a heading that there is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection } from '@temporalio/client';
import test from 'ava';
import type { Registry } from 'prom-client';
import { parse } from 'yaml';
import { createWorkerMetrics } from '../../activities/metrics.ts';
import { httpMetrics, upgradeMetrics } from '../../api/http/metrics.ts';
import { registerBacklog } from '../../bin/process/backlog.ts';
import { createRegistry } from '../../bin/process/probes.ts';
import { registerUpkeep } from '../../bin/process/upkeep.ts';
import type { Db } from '../../db/database.ts';

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

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

interface RuleTests {
  readonly tests: readonly {
    readonly alert_rule_test: readonly {
      readonly alertname: string;
      readonly exp_alerts: readonly object[];
    }[];
  }[];
}

const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

const rules = (parse(read('deploy', 'prometheus', 'alerts.yaml')) as Rules).groups.flatMap(
  (group) => group.rules,
);

/** As GitHub makes them of headings. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

/** Names of all metrics that processes serve. */
async function knownMetrics(): Promise<readonly string[]> {
  return (await allMetrics().getMetricsAsJSON()).map(({ name }) => name);
}

function allMetrics(): Registry {
  const registry = createRegistry('api');
  createWorkerMetrics(registry);
  httpMetrics(registry);
  upgradeMetrics(registry);
  const workflowService = { describeTaskQueue: () => Promise.resolve({}) };
  registerBacklog(registry, {
    workflowService: workflowService as unknown as Connection['workflowService'],
    ...{ namespace: 'n', taskQueue: 'q' },
  });
  registerUpkeep(registry, {} as Db);
  return registry;
}

/** Metrics that an expression asks for, as processes name them. */
function metricsOf(expression: string): readonly string[] {
  return [...expression.matchAll(/\b(svc|http|nodejs|process)_\w+|\bup\b/g)]
    .map(([name]) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => !/^http_(request|response|route)/.test(name));
}

test('alerts and dashboard ask for metrics that a process has', async (t) => {
  // Prometheus has `up` of every process that it asks.
  const known = [...(await knownMetrics()), 'up'];
  const dashboard = JSON.parse(read('deploy', 'grafana', 'svc-speech.json')) as Dashboard;
  const shown = dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr })),
  );
  t.true(rules.length >= 12 && shown.length >= 20);
  for (const { title, expr } of [
    ...rules.map((rule) => ({ title: rule.alert, expr: rule.expr })),
    ...shown,
  ]) {
    const asked = metricsOf(expr);
    t.true(asked.length > 0, title);
    for (const name of asked) t.true(known.includes(name), `${title}: ${name}`);
  }
});

test('every metric of the service is on the dashboard', async (t) => {
  const dashboard = read('deploy', 'grafana', 'svc-speech.json');
  for (const name of (await knownMetrics()).filter((each) => each.startsWith('svc_'))) {
    t.true(dashboard.includes(name), name);
  }
});

test('no label has a name that Prometheus gives the process itself', (t) => {
  // It would be kept as `exported_…`, and queries by it would find the process's.
  for (const metric of allMetrics().getMetricsAsArray()) {
    const { name, labelNames } = metric as unknown as { name: string; labelNames: string[] };
    t.true(Array.isArray(labelNames), name);
    for (const label of ['job', 'instance']) t.false(labelNames.includes(label), name);
  }
});

test('upgrades are counted where requests are', async (t) => {
  const registry = allMetrics();
  const own = 'http_route="/v1/audio/spectra-2/stream",http_response_status_code="503"';
  upgradeMetrics(registry)({ route: '/v1/audio/spectra-2/stream', status: 503, seconds: 0.2 });
  const lines = (await registry.metrics()).split('\n').filter((line) => line.includes(own));
  t.regex(
    lines.find((line) => line.includes('seconds_count'))!,
    / 1$/,
  );
  t.regex(
    lines.find((line) => line.includes('le="0.25"'))!,
    / 1$/,
  );
});

test('every alert is tried by promtool: that it fires, and on what', (t) => {
  const { tests } = parse(read('test', 'deploy', 'alerts-test.yaml')) as RuleTests;
  const tried = tests.flatMap(({ alert_rule_test: cases }) => cases);
  for (const { alert } of rules) {
    const fires = tried.some(({ alertname, exp_alerts: e }) => alertname === alert && e.length > 0);
    t.true(fires, alert);
  }
});

test('every alert names the heading of its runbook', (t) => {
  const text = read('docs', 'operations.md');
  const anchors = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => anchor(heading!));
  for (const { alert, annotations } of rules) {
    const [path, name = ''] = annotations.runbook.split('#');
    t.is(path, 'docs/operations.md');
    t.true(anchors.includes(name), `${alert}: ${name}`);
  }
});
