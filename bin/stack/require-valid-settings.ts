// All that is wrong with the settings of a start, before it creates or starts anything.
import { statSync } from 'node:fs';
import {
  InvalidSettings,
  readConfig,
  valuesOfFiles,
  type Environment,
} from '../settings/read-config.ts';
import { stackSettings } from '../settings/settings-table.ts';
import { settingsOf, type StackSettings } from '../settings/stack-settings.ts';
import { requireOwnFolder } from './private-folder.ts';
import { joinedKeys, newSecrets } from './secrets.ts';
import { ownerUrlOf, serversEnvironment } from './servers.ts';
import { serviceEnvironment } from './stack.ts';
import { portProblems } from './stack-ports.ts';

/**
 * Checks the stack's own settings and those that its processes will have, in one.
 * @throws InvalidSettings with every problem, each variable once
 */
export function requireValidSettings(given: Environment): void {
  const problems: string[] = [];
  const tell = (more: readonly string[]) => {
    const known = problems.map(variableOf);
    problems.push(...more.filter((problem) => !known.includes(variableOf(problem))));
  };
  const env = withFiles(given, tell);
  const settings = settingsOf(env, (problem) => tell([problem]));
  const invalid = problems.map(variableOf);
  // An invalid port is none that another could have, too.
  const clashes = portProblems(settings).filter(
    (problem) => !invalid.some((variable) => problem.includes(variable)),
  );
  problems.push(...clashes, ...programProblems(settings), ...folderProblems(settings));
  tell(problemsOf(() => readConfig(stackSettings, environmentOf(settings, env))));
  if (problems.length > 0) throw new InvalidSettings(problems);
}

/** As the processes will have it; with secrets like those that a first start makes. */
function environmentOf(settings: StackSettings, env: Environment): Environment {
  const secrets = newSecrets();
  return {
    ...env,
    ...serversEnvironment({ settings, secrets }),
    ...serviceEnvironment(settings, secrets),
    SVC_SECRETS_KEY: joinedKeys(env.SVC_SECRETS_KEY, secrets),
    DATABASE_OWNER_URL: ownerUrlOf({ settings, secrets }) ?? '',
  };
}

/** A variable whose file cannot be read counts as unset. */
function withFiles(given: Environment, tell: (problems: readonly string[]) => void): Environment {
  let env = given;
  for (const [name, schema] of Object.entries(stackSettings.shape)) {
    try {
      env = { ...env, ...valuesOfFiles({ shape: { [name]: schema }, rules: [] }, given) };
    } catch (error) {
      if (!(error instanceof InvalidSettings)) throw error;
      tell(error.problems);
      env = { ...env, [name]: '', [`${name}_FILE`]: '' };
    }
  }
  return env;
}

/** Of those that an operator names, and that the stack would run. */
function programProblems({ external, programs, s3Server }: StackSettings): readonly string[] {
  const used = [
    ...(external.temporal === null ? (['temporal'] as const) : []),
    ...(external.s3 === null ? [s3Server] : []),
  ];
  return used.flatMap((name) => {
    const path = programs[name];
    if (path === '' || statSync(path, { throwIfNoEntry: false })?.isFile()) return [];
    return [`SVC_${name.toUpperCase()}_BINARY must be the path of a program, not "${path}"`];
  });
}

function folderProblems({ dataDirectory }: StackSettings): readonly string[] {
  return problemsOf(() => requireOwnFolder(dataDirectory));
}

function problemsOf(check: () => unknown): readonly string[] {
  try {
    check();
    return [];
  } catch (error) {
    return error instanceof InvalidSettings ? error.problems : [(error as Error).message];
  }
}

/** The variable that a problem begins with. */
function variableOf(problem: string): string {
  return /^[A-Z\d_]+(?=[: ])/.exec(problem)?.[0] ?? problem;
}
