// Reads settings from the environment and reports all invalid ones before anything starts.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of a process: a schema per variable, and rules that span variables. */
export interface Settings<S extends z.core.$ZodShape = z.core.$ZodShape> {
  readonly shape: S;
  readonly rules: readonly Rule[];
}

/** @returns how variables contradict each other, as a sentence; null when they do not */
export type Rule = (given: Environment) => string | null;

export type SettingsOf<T extends Settings> = z.output<z.ZodObject<T['shape']>>;

/** Documentation and names of a variable. */
interface Facts {
  readonly description: string;
  /** Secrets are never printed. */
  readonly secret?: boolean;
  /** The variable that names a file with the value, unless it is `<NAME>_FILE`. */
  readonly file?: string;
  /** Another common spelling of the name. */
  readonly alias?: string;
}

/** Lines before it are allowed: bundles of authorities name each certificate. */
export const pemText = z.string().regex(/^\s*-----BEGIN /m, 'must be PEM text, -----BEGIN …');

/** An address to listen at. */
export const listenHost = z
  .string()
  .regex(/^[A-Za-z0-9.:_-]+$/, 'must be an address or a name of this machine, such as 0.0.0.0');

/** A name that a server of someone else defines: only what it cannot be is rejected. */
export const nameWithoutSpaces = z.string().regex(/^\S+$/, 'must have no spaces');

const largestPort = 65_535;

/** `host:port`; IPv6 hosts have brackets. */
export const hostAndPort = z.string().refine((text) => {
  const [, port] = /^(?:\[[0-9a-f:]+\]|[^\s:/]+):(\d{1,5})$/i.exec(text) ?? [];
  return port !== undefined && Number(port) >= 1 && Number(port) <= largestPort;
}, 'must be host:port');

interface Bounds {
  readonly min: number;
  readonly max?: number;
}

/** In digits: JavaScript also takes blanks for 0, and 0x10 or 1e3 for numbers. */
export function decimal({ min, max = Infinity }: Bounds) {
  return z.preprocess(numberOf, z.number().min(min).max(max));
}

/** The same without decimals. */
export function wholeNumber({ min, max = Number.MAX_SAFE_INTEGER }: Bounds) {
  return z.preprocess(numberOf, z.number().int().min(min).max(max));
}

/** @param min 0 where the system may choose one */
export function portNumber({ min }: { readonly min: 0 | 1 }) {
  return wholeNumber({ min, max: largestPort });
}

/** How many of something at once. */
export const count = wholeNumber({ min: 1 });

function numberOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

/** Attaches the facts to a schema. */
export function setting<T extends z.ZodType>(schema: T, facts: Facts): T {
  return schema.meta({ ...facts });
}

export function factsOf(schema: z.core.$ZodType): Facts {
  return z.globalRegistry.get(schema) as unknown as Facts;
}

/** The variable by which a value is read from a file. */
export function fileVariable(name: string, schema: z.core.$ZodType): string {
  return factsOf(schema).file ?? `${name}_FILE`;
}

/** The variables of the settings that are set in the environment. */
export function variablesOf(settings: Settings, environment: Environment): Record<string, string> {
  return Object.fromEntries(
    namesOf(settings).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
}

/** Every variable of the settings as unset: for what runs with others than the environment's. */
export function emptyVariables(settings: Settings): Record<string, string> {
  return Object.fromEntries(namesOf(settings).map((name) => [name, '']));
}

function namesOf({ shape }: Settings): readonly string[] {
  return Object.entries(shape).flatMap(([name, schema]) => {
    const { alias = name } = factsOf(schema);
    return [name, alias, fileVariable(name, schema)];
  });
}

/** Invalid settings; the message has a line for each. */
export class InvalidSettings extends Error {
  override readonly name = 'InvalidSettings';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const many = problems.length === 1 ? '1 setting is' : `${problems.length} settings are`;
    super(`${many} invalid:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** @throws InvalidSettings with every problem */
export function readConfig<S extends z.core.$ZodShape>(
  { shape, rules }: Settings<S>,
  environment: Environment,
): z.output<z.ZodObject<S>> {
  const problems: string[] = [];
  const unread = new Set<string>();
  const given: Record<string, string> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const found = valueOf(name, schema, environment);
    if ('problem' in found) {
      unread.add(name);
      problems.push(found.problem);
    } else if (found.value !== null) given[name] = found.value;
  }
  const parsed = z.object(shape).safeParse(given);
  for (const issue of parsed.error?.issues ?? []) {
    const name = String(issue.path[0]);
    if (unread.has(name)) continue;
    problems.push(describeProblem(name, shape[name]!, given[name], expectationOf(issue)));
  }
  for (const rule of rules) {
    const problem = rule(given);
    if (problem !== null) problems.push(problem);
  }
  if (problems.length > 0 || !parsed.success) throw new InvalidSettings(problems);
  return parsed.data;
}

/**
 * The variables that put values in the place of the `<NAME>_FILE` that name them, for a process
 * that sets some of them for its children; `…_PATH` stays, as each tool reads it.
 * @throws InvalidSettings for files that cannot be read
 */
export function valuesOfFiles({ shape }: Settings, environment: Environment): Environment {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  for (const [name, schema] of Object.entries(shape)) {
    if (!environment[`${name}_FILE`] || factsOf(schema).file) continue;
    const found = valueOf(name, schema, environment);
    if ('problem' in found) problems.push(found.problem);
    else Object.assign(values, { [name]: found.value, [`${name}_FILE`]: '' });
  }
  if (problems.length > 0) throw new InvalidSettings(problems);
  return values;
}

type Found = { readonly value: string | null } | { readonly problem: string };

/** An empty variable counts as unset, because deployment manifests cannot always omit one. */
function valueOf(name: string, schema: z.core.$ZodType, environment: Environment): Found {
  const { alias = name } = factsOf(schema);
  const value = environment[name] || environment[alias] || null;
  const variable = fileVariable(name, schema);
  const path = environment[variable] || null;
  if (path === null) return { value };
  if (value !== null)
    return { problem: `both ${name} and ${variable} are set: set only one of them` };
  try {
    return { value: readFileSync(path, 'utf8').replace(/\r?\n$/, '') };
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    return { problem: `${name} cannot be read from ${variable}=${path} (${code})` };
  }
}

/** What is allowed, where zod's own words say it in their way, or only that it is invalid. */
function expectationOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_big')
    return `must be ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`;
  if (issue.code === 'too_small')
    return `must be ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  if (issue.code === 'invalid_type')
    return `must be a ${issue.expected === 'int' ? 'whole number' : issue.expected}`;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_format' && issue.format === 'url') {
    return 'must be a URL http://… or https://…';
  }
  return issue.message;
}

function describeProblem(
  name: string,
  schema: z.core.$ZodType,
  value: string | undefined,
  message: string,
): string {
  const { description, secret = false } = factsOf(schema);
  if (value === undefined) return `${name} is not set: ${description}`;
  return `${name}: ${message}${secret ? '' : `, got "${withoutPassword(value)}"`}`;
}

/** Of addresses as `http://user:password@proxy:3128`; a password may hold any of these marks. */
function withoutPassword(value: string): string {
  return value.replace(/^([a-z][a-z\d+.-]*:\/\/)?([^:/@]*):.*@/is, '$1$2:…@');
}
