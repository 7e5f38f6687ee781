// Every role as the manifests start it: what they say of user, variables, secrets and probes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { render, resourcesOf, variants, type EnvironmentVariable, type Resource } from './chart.ts';
import { root } from './tools.ts';

export interface RolePod {
  /** `worker-bulk`, `api`, … */
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Where the folder with the files of its secrets lies. */
  readonly secretsFolder: string;
  /** Their names. */
  readonly secrets: readonly string[];
  readonly graceSeconds: number;
}

/** Where the parts that are not of the service are, for the chart as values. */
export interface Places {
  readonly temporal: string;
  readonly storage: string;
  readonly bucket: string;
}

/** The Job of set-up first, then the Deployments. */
export function podsOfChart({ temporal, storage, bucket }: Places): readonly RolePod[] {
  const manifests = render({
    ...variants.usual,
    'settings.TEMPORAL_ADDRESS': temporal,
    'settings.S3_ENDPOINT': storage,
    'settings.S3_BUCKET': bucket,
    'secret.keys':
      '{database-url,database-owner-url,secrets-key,s3-access-key-id,s3-secret-access-key}',
    // One core for each is enough to see that it works.
    'workers.inferenceProcesses': '1',
  });
  const resources = resourcesOf(manifests);
  return [...resources.filter(isKind('Job')), ...resources.filter(isKind('Deployment'))].map(podOf);
}

const isKind =
  (kind: string) =>
  (resource: Resource): boolean =>
    resource.kind === kind;

function podOf({ spec }: Resource): RolePod {
  const pod = spec!.template!.spec;
  const [container] = pod.containers;
  const environment = Object.fromEntries(
    container!.env.map(({ name, value }: EnvironmentVariable) => [name, value]),
  );
  const secretsFolder = '/run/secrets/svc';
  return {
    ...{ name: container!.name, args: container!.args, environment, secretsFolder },
    secrets: secretsOf(environment, secretsFolder),
    graceSeconds: pod.terminationGracePeriodSeconds,
  };
}

interface ComposeService {
  readonly build?: object;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly stop_grace_period: string;
}

/** The services of the image, set-up first; names of the other services give way to addresses. */
export function podsOfCompose({ temporal, storage, bucket }: Places): readonly RolePod[] {
  const text = readFileSync(join(root, 'deploy', 'compose.yaml'), 'utf8')
    .replaceAll('http://storage:7070', storage)
    .replaceAll('TEMPORAL_ADDRESS: temporal:7233', `TEMPORAL_ADDRESS: ${temporal}`)
    .replaceAll('S3_BUCKET: svc', `S3_BUCKET: ${bucket}`);
  const { services } = parse(text, { merge: true }) as {
    readonly services: Readonly<Record<string, ComposeService>>;
  };
  return Object.entries(services).flatMap(([name, { build, command, environment, ...service }]) => {
    if (build === undefined) return [];
    const secretsFolder = '/run/secrets';
    const graceSeconds = Number.parseInt(service.stop_grace_period, 10);
    const secrets = secretsOf(environment, secretsFolder);
    return [{ name, args: command, environment, secretsFolder, secrets, graceSeconds }];
  });
}

function secretsOf(
  environment: Readonly<Record<string, string>>,
  folder: string,
): readonly string[] {
  return Object.values(environment)
    .filter((value) => value.startsWith(`${folder}/`))
    .map((value) => value.slice(folder.length + 1));
}
