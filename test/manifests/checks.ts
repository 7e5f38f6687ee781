// Each kind of manifest, read by the program that an operator would give it to.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lint, render, resourcesOf, variants } from './chart.ts';
import { layOutSchemas } from './schemas.ts';
import { brought, root, run as execute } from './tools.ts';

export interface Check {
  readonly title: string;
  /** @throws where it fails */
  readonly run: (folder: string) => void;
}

const configuration = 'deploy/prometheus/prometheus.yaml';
/** The oldest that the chart takes, and the newest that there are schemas for. */
const kubernetesVersions = ['1.28.0', '1.37.0'];

const charts = Object.entries(variants).flatMap(([name, values]): readonly Check[] => [
  { title: `helm lint: the chart, ${name}`, run: () => lint(values) },
  ...kubernetesVersions.map((version) => ({
    title: `kubeconform: the chart on Kubernetes ${version}, ${name}`,
    run: (folder: string) => conform(folder, version, render(values, version)),
  })),
]);

export const checks: readonly Check[] = [
  {
    title: 'hadolint: the Dockerfile',
    run: () => execute(brought('SVC_HADOLINT_BINARY'), ['Dockerfile']),
  },
  { title: 'compose-go: the compose file', run: loadCompose },
  ...charts,
  {
    title: 'promtool: the configuration and its rules',
    run: () => execute(brought('SVC_PROMTOOL_BINARY'), ['check', 'config', configuration]),
  },
  {
    title: 'promtool: the tests of the rules',
    run: () =>
      execute(brought('SVC_PROMTOOL_BINARY'), ['test', 'rules', 'test/deploy/alerts-test.yaml']),
  },
  { title: 'systemd-analyze: the units', run: verifyUnits },
];

/** The loader resolves names between services, and rejects what the schema does not have. */
function loadCompose(): void {
  execute(brought('SVC_COMPOSE_BINARY'), ['deploy/compose.yaml']);
}

function conform(folder: string, version: string, manifests: string): void {
  const location = layOutSchemas(folder, version, resourcesOf(manifests));
  const args = ['-strict', '-summary', '-kubernetes-version', version];
  execute(brought('SVC_KUBECONFORM_BINARY'), [...args, '-schema-location', location], manifests);
}

/** The paths that the units name are those of an installation: here, of this checkout. */
function verifyUnits(): void {
  const folder = mkdtempSync(join(tmpdir(), 'svc-units-'));
  try {
    const source = join(root, 'deploy', 'systemd');
    const units = readdirSync(source).map((name) => {
      const text = readFileSync(join(source, name), 'utf8').replaceAll('/opt/svc-speech', root);
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    });
    // What it finds is told on standard error, mostly with success.
    const { stderr } = execute('systemd-analyze', ['verify', '--man=no', ...units]);
    if (stderr.trim() !== '') throw new Error(stderr);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
