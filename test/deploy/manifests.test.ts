// The manifests start what there is: roles, settings, files, ports and probes of this tree.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { fileVariable } from '../../bin/settings/read-config.ts';
import { roleSettings } from '../../bin/settings/settings-table.ts';
import { mallocArenas, semiSpaceFlag } from '../../bin/stack/applications.ts';
import { maxConnections } from '../../bin/stack/postgres.ts';
import { bulkQueue, inferenceQueue, sourceQueue, webhookQueue } from '../../workflows/ids.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: readonly string[]): string => readFileSync(join(root, ...path), 'utf8');

/** Variables that a role reads, those that name files included. */
function variablesOf(role: string): ReadonlySet<string> {
  const shape = Object.entries(roleSettings[role]?.shape ?? {});
  return new Set(shape.flatMap(([name, schema]) => [name, fileVariable(name, schema)]));
}

/** The memory of a role is limited as in the processes of `npm start`. */
const memoryLimits = [`NODE_OPTIONS=${semiSpaceFlag}`, `MALLOC_ARENA_MAX=${mallocArenas}`];

const everyVariable = new Set(Object.keys(roleSettings).flatMap((role) => [...variablesOf(role)]));

interface ComposeService {
  readonly image?: string;
  readonly build?: object;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly depends_on?: object;
  readonly read_only?: boolean;
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const compose = parse(read('deploy', 'compose.yaml'), { merge: true }) as Compose;
const dockerfile = read('Dockerfile');

test('compose runs every role but `migrate`, which set-up does, each with what it needs', (t) => {
  const own = Object.values(compose.services).filter(({ build }) => build !== undefined);
  const roles = own.map(({ command = [] }) => command[0] ?? '');
  t.deepEqual(roles.toSorted(), ['api', 'setup', 'stream-worker', 'worker']);
  for (const { command = [], environment = {}, secrets = [], ...service } of own) {
    const role = command[0]!;
    const known = variablesOf(role);
    for (const name of Object.keys(environment)) t.true(known.has(name), `${role}: ${name}`);
    const files = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
    t.deepEqual(files.map((path) => path.slice('/run/secrets/'.length)).toSorted(), [
      ...[...secrets].toSorted(),
    ]);
    t.true(service.read_only);
    if (role !== 'setup') t.true(service.healthcheck?.test.at(-1)?.includes(':9464/readyz'));
  }
});

test('every secret of compose is made by the script', (t) => {
  const script = read('deploy', 'make-secrets.sh');
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    t.is(file, `./secrets/${name}`);
    t.regex(script, new RegExp(`^make ${name} `, 'm'));
  }
  for (const { secrets = [], depends_on: after = {} } of Object.values(compose.services)) {
    for (const name of secrets) t.true(name in compose.secrets, name);
    const names = Array.isArray(after) ? (after as string[]) : Object.keys(after);
    for (const name of names) t.true(name in compose.services, name);
  }
});

test('the image has what a process loads, and settings that are some', (t) => {
  const copied = [...dockerfile.matchAll(/^COPY (\w+) \.\/\1$/gm)].map(([, folder]) => folder!);
  const needed = ['activities', 'api', 'bin', 'clients', 'db', 'docs', 'models', 'workflows'];
  t.deepEqual(copied.toSorted(), needed);
  const ignored = read('.dockerignore').split('\n');
  for (const folder of [...needed, 'README.md', 'package.json', 'package-lock.json', '.npmrc']) {
    t.true(ignored.includes(`!${folder}`), folder);
  }
  const assigned = dockerfile.slice(dockerfile.lastIndexOf('ENV NODE_ENV'));
  for (const [, name = ''] of assigned.matchAll(/\b(SVC_\w+)=/g)) {
    t.true(everyVariable.has(name), name);
  }
  for (const limit of memoryLimits) t.true(assigned.includes(`  ${limit} \\\n`), limit);
  t.regex(dockerfile, /^USER 10001:10001$/m);
});

test('what the chart names is there: variables, roles, probes, keys of the secret', (t) => {
  const folder = join(root, 'deploy', 'helm', 'templates');
  const text = readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const named = [...text.matchAll(/"((?:SVC|TEMPORAL|S3|DATABASE)_[A-Z0-9_]+)"/g)];
  t.true(named.length >= 10);
  for (const [, name = ''] of named) t.true(everyVariable.has(name), name);
  const roles = [...text.matchAll(/"role" "([a-z-]+)"/g)].map(([, role]) => role!);
  t.deepEqual([...new Set(roles)].toSorted(), ['api', 'setup', 'stream-worker', 'worker']);
  for (const [, path] of text.matchAll(/path: (\/\w+z),/g)) {
    t.true(['/livez', '/readyz'].includes(path!));
  }
  const values = parse(read('deploy', 'helm', 'values.yaml')) as {
    readonly secret: { readonly keys: readonly string[] };
  };
  for (const key of values.secret.keys) t.true(text.includes(`"${key}" "`), key);
});

test('every pod of the chart mounts the volumes that its values add', (t) => {
  const pod = read('deploy', 'helm', 'templates', '_pod.tpl');
  const values = read('deploy', 'helm', 'values.yaml');
  for (const name of ['extraVolumes', 'extraVolumeMounts']) {
    t.regex(values, new RegExp(`^${name}: \\[\\]$`, 'm'));
    const added = new RegExp(
      `{{- with \\$root\\.Values\\.${name} }}\n *{{- toYaml \\. \\| nindent`,
    );
    t.regex(pod, added);
  }
});

test('PostgreSQL of compose takes as many connections as the embedded one', (t) => {
  const settings = ['-c', `max_connections=${maxConnections}`];
  t.deepEqual(compose.services.postgres?.command, ['postgres', ...settings]);
});

test('what a proxy asks is what an API itself has to reach', (t) => {
  t.regex(read('deploy', 'caddy', 'Caddyfile'), /^\s*health_uri \/readyz\?of=api$/m);
  const pod = read('deploy', 'helm', 'templates', '_pod.tpl');
  t.regex(
    pod,
    /startupProbe:\n *httpGet: .* ternary "\/livez" "\/readyz" \(eq \.component "api"\)/,
  );
  t.regex(pod, /readinessProbe:\n *httpGet: \{ path: \/readyz, port: metrics \}/);
});

test('the pools are scaled by what small recordings wait in as well: workflow tasks', (t) => {
  const workers = read('deploy', 'helm', 'templates', 'workers.yaml');
  t.regex(workers, /^ *queueTypes: workflow,activity$/m);
  const [, ...lanes] = /ternary \(list (.*?)\) \(list (.*?)\)/.exec(workers) ?? [];
  const bulk = bulkQueue('');
  t.deepEqual(
    lanes.map((names) => names.split(' ').map((name) => JSON.parse(name))),
    [
      ['', inferenceQueue('')],
      [bulk, inferenceQueue(bulk), webhookQueue(''), sourceQueue('')],
    ],
  );
});

test('the account of running pods outlives upgrades; what serves leaves with a pause', (t) => {
  const [account = ''] = read('deploy', 'helm', 'templates', 'setup.yaml').split(
    '{{- if .Values.setup',
  );
  t.regex(account, /kind: ServiceAccount/);
  t.notRegex(account, /helm\.sh\/hook/);
  t.regex(read('deploy', 'helm', 'templates', '_pod.tpl'), /preStop: .*\[sleep, '5'\]/);
});

for (const role of ['api', 'worker', 'stream-worker']) {
  test(`the systemd unit of ${role} runs that role with settings that it reads`, (t) => {
    const unit = read('deploy', 'systemd', `svc-speech-${role}.service`);
    t.regex(unit, new RegExp(`^ExecStart=\\S+/node bin/svc\\.ts ${role}$`, 'm'));
    // Else five quick ends, as while a server is away, would be the last.
    t.regex(unit, /^StartLimitIntervalSec=0$/m);
    // Workers need memory for each core of a machine that the unit does not know.
    t.regex(unit, role === 'api' ? /^MemoryMax=\d+G$/m : /^MemoryMax=\d+%$/m);
    const [, set = ''] = /^Environment=(.*)$/m.exec(unit) ?? [];
    for (const assignment of set.split(' ')) {
      t.true(variablesOf(role).has(assignment.split('=')[0]!), assignment);
    }
    t.true(unit.includes(`\nEnvironment=${memoryLimits.join(' ')}\n`));
    t.regex(read('bin', `${role}.ts`), /^ *setV8Flags\(\);$/m);
  });
}
