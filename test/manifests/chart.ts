// The chart as Helm renders it, with the values that operators choose between.
import { parseAllDocuments } from 'yaml';
import { brought, run } from './tools.ts';

const chart = 'deploy/helm';

export interface EnvironmentVariable {
  readonly name: string;
  readonly value: string;
}

export interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly EnvironmentVariable[];
  readonly readinessProbe?: { readonly httpGet: { readonly path: string } };
}

export interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: { readonly runAsUser: number; readonly runAsNonRoot: boolean };
  readonly containers: readonly Container[];
}

export interface Resource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

const usual = {
  'image.repository': 'registry.example/svc-speech',
  'settings.TEMPORAL_ADDRESS': 'temporal-frontend.temporal:7233',
  'settings.TEMPORAL_NAMESPACE': 'speech',
  'settings.S3_BUCKET': 'calls',
};

/** Every switch of the chart is on in one of them and off in another. */
export const variants: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  usual,
  scaled: {
    ...usual,
    'keda.enabled': 'true',
    'keda.authenticationRef': 'temporal',
    'ingress.enabled': 'true',
    'ingress.className': 'nginx',
    'ingress.tlsSecret': 'speech-tls',
    'settings.SVC_TASK_QUEUE': 'speech',
    'workers.bulk.nodeSelector.pool': 'bulk',
    'api.settings.SVC_TRUSTED_PROXIES': '10.0.0.0/8',
  },
  'files of its own': {
    ...usual,
    'extraVolumes[0].name': 'database-ca',
    'extraVolumes[0].configMap.name': 'database-ca',
    'extraVolumeMounts[0].name': 'database-ca',
    'extraVolumeMounts[0].mountPath': '/etc/svc',
  },
  'every key of the secret': {
    ...usual,
    'secret.keys':
      '{database-url,database-owner-url,secrets-key,s3-access-key-id,s3-secret-access-key,s3-ca,' +
      'temporal-api-key,temporal-client-cert,temporal-client-key,temporal-ca}',
  },
  'prepared by hand': { ...usual, 'setup.enabled': 'false', 'prometheus.annotations': 'false' },
};

function settings(values: Readonly<Record<string, string>>): readonly string[] {
  // A comma outside of braces would end the value.
  return Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
}

export function lint(values: Readonly<Record<string, string>>): void {
  run(brought('SVC_HELM_BINARY'), ['lint', '--strict', '--quiet', chart, ...settings(values)]);
}

/** @returns the manifests as text */
export function render(values: Readonly<Record<string, string>>, kubeVersion = '1.34.0'): string {
  const args = ['template', 'speech', chart, '--kube-version', kubeVersion, ...settings(values)];
  return run(brought('SVC_HELM_BINARY'), args).stdout;
}

export function resourcesOf(manifests: string): readonly Resource[] {
  return parseAllDocuments(manifests)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null);
}
