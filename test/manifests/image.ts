// What the Dockerfile puts into the image, without a container engine: the same files, packages,
// variables and user, started in a sandbox of bubblewrap as a container would be.
import { spawn, type ChildProcess } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, root } from './tools.ts';

export interface Image {
  /** The folder that is /app. */
  readonly app: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Program and arguments, without the init process. */
  readonly entrypoint: readonly string[];
  readonly user: number;
}

/** Runs the steps of the stage `packages`, and what the last stage copies and makes. */
export function buildImage(folder: string): Image {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll('\\\n', ' ');
  const [, packages = ''] = /AS packages\n([^]*?)\n\nFROM/.exec(text) ?? [];
  const final = text.slice(text.lastIndexOf('\nFROM'));
  const app = join(folder, 'app');
  mkdirSync(app);
  for (const [, names = ''] of packages.matchAll(/^COPY (.+) \.\/$/gm)) copyAll(names, app);
  for (const [, command = ''] of packages.matchAll(/^RUN (.+)$/gm)) {
    run('/bin/sh', ['-c', `cd '${app}' && ${command}`]);
  }
  for (const [, names = ''] of final.matchAll(/^COPY (?!--from)(\S+) \.\/.*$/gm)) {
    copyAll(names, app);
  }
  // Node's steps of the last stage; the other ones install what the sandbox takes from here.
  for (const [, step = ''] of final.matchAll(/^RUN node (.+)$/gm)) {
    const inPlace = step.replaceAll('/app/', `${app}/`);
    run('/bin/sh', ['-c', `cd '${app}' && '${process.execPath}' ${inPlace}`]);
  }
  const [, entrypoint = '[]'] = /^ENTRYPOINT (.+)$/m.exec(final) ?? [];
  const [, user = ''] = /^USER (\d+):\d+$/m.exec(final) ?? [];
  const program = JSON.parse(entrypoint) as string[];
  return {
    app,
    environment: variablesOf(final),
    entrypoint: program.slice(program.indexOf('--') + 1),
    user: Number(user),
  };
}

/** The variables that a stage of a Dockerfile sets; continued lines are joined. */
export function variablesOf(stage: string): Readonly<Record<string, string>> {
  const [, assigned = ''] = /^ENV (.+)$/m.exec(stage) ?? [];
  const pairs = assigned.trim().split(/\s+/);
  return Object.fromEntries(
    pairs.map((pair) => {
      // A value may have such a sign itself.
      const sign = pair.indexOf('=');
      return [pair.slice(0, sign), pair.slice(sign + 1)];
    }),
  );
}

function copyAll(names: string, app: string): void {
  for (const name of names.split(' ')) {
    cpSync(join(root, name), join(app, name), { recursive: true, dereference: true });
  }
}

/** bwrap makes the folders above a mount for root alone. */
const openFolders = ['/run', '/run/secrets', '/opt', '/opt/node', '/opt/node/bin'];

export interface ContainerOptions {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Folders of this machine by where they lie in the container. */
  readonly volumes: Readonly<Record<string, string>>;
}

/** Root and models read-only, /tmp of its own, the image's user, no capability. */
export function startContainer(
  { app, environment, entrypoint, user }: Image,
  options: ContainerOptions,
): ChildProcess {
  const volumes = Object.entries({ '/app': app, ...options.volumes });
  const variables = Object.entries({ ...environment, ...options.environment });
  return spawn(
    'bwrap',
    [
      ...['--die-with-parent', '--unshare-pid', '--unshare-ipc', '--clearenv'],
      ...['--cap-add', 'CAP_SETUID', '--cap-add', 'CAP_SETGID', '--cap-add', 'CAP_SETPCAP'],
      ...['--ro-bind', '/usr', '/usr', '--ro-bind', '/etc', '/etc', '--proc', '/proc'],
      ...['bin', 'lib', 'lib64', 'sbin'].flatMap((name) => [
        '--symlink',
        `usr/${name}`,
        `/${name}`,
      ]),
      ...['--dev', '/dev', '--perms', '1777', '--tmpfs', '/tmp'],
      ...openFolders.flatMap((folder) => ['--perms', '0755', '--dir', folder]),
      ...['--ro-bind', process.execPath, '/opt/node/bin/node', '--chdir', '/app'],
      ...volumes.flatMap(([path, from]) => ['--ro-bind', from, path]),
      ...['--setenv', 'HOME', '/tmp'],
      ...['--setenv', 'PATH', '/opt/node/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
      ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
      ...['--remount-ro', '/', '--', 'setpriv', `--reuid=${user}`, `--regid=${user}`],
      ...['--clear-groups', '--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'],
      ...[...entrypoint, ...options.args],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
}
