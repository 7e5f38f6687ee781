// The reference of settings, generated from the schemas of the roles.
import { z } from 'zod';
import { apiSettings } from './api-config.ts';
import { factsOf, fileVariable, type Settings } from './read-config.ts';
import { migrateSettings, setupSettings } from './setup-config.ts';
import { streamWorkerSettings, workerSettings } from './worker-config.ts';

/** In the order of the reference. */
export const roleSettings: Readonly<Record<string, Settings>> = {
  api: apiSettings,
  worker: workerSettings,
  'stream-worker': streamWorkerSettings,
  setup: setupSettings,
  migrate: migrateSettings,
};

/**
 * What the processes of `npm start` read, and the preparation before them: in one, so that all that
 * is invalid is found before a server starts.
 */
export const stackSettings = {
  shape: {
    ...setupSettings.shape,
    ...apiSettings.shape,
    ...workerSettings.shape,
    ...streamWorkerSettings.shape,
  },
  // Set-up has no other rules, and all processes have the same.
  rules: apiSettings.rules,
} satisfies Settings;

/** Settings whose default depends on the machine; the description explains it. */
const ofTheMachine = ['SVC_MODELS_DIR', 'SVC_INFERENCE_PROCESSES', 'SVC_TEMPORARY_DIR'];

interface Row {
  readonly name: string;
  readonly roles: readonly string[];
  readonly fallback: string;
  readonly facts: ReturnType<typeof factsOf>;
  readonly file: string;
}

/** A Markdown table of every setting, in the order of the roles that read it. */
export function settingsTable(): string {
  const lines = rows().map(({ name, roles, fallback, facts, file }) => {
    const marks = facts.secret ? ' (secret)' : '';
    const from = facts.secret || facts.file ? `; or \`${file}\`` : '';
    const is = facts.description + marks;
    return `| \`${name}\`${from} | ${roles.join(', ')} | ${fallback} | ${is} |`;
  });
  return ['| variable | roles | default | description |', '|---|---|---|---|', ...lines].join('\n');
}

function rows(): readonly Row[] {
  const all = new Map<string, Row>();
  for (const [role, { shape }] of Object.entries(roleSettings)) {
    for (const [name, schema] of Object.entries(shape)) {
      const known = all.get(name);
      const roles = [...(known?.roles ?? []), role];
      const fallback = known ? joined(known.fallback, fallbackOf(name, schema)) : null;
      all.set(name, {
        ...{ name, roles, facts: factsOf(schema), file: fileVariable(name, schema) },
        fallback: fallback ?? fallbackOf(name, schema),
      });
    }
  }
  return [...all.values()];
}

/** A setting may have different defaults in different roles. */
function joined(one: string, other: string): string {
  return one.split(' or ').includes(other) ? one : `${one} or ${other}`;
}

function fallbackOf(name: string, schema: z.core.$ZodType): string {
  if (ofTheMachine.includes(name)) return 'see description';
  if (schema instanceof z.ZodDefault) {
    const value = schema.def.defaultValue;
    return value === '' ? 'none' : `\`${String(value)}\``;
  }
  return schema instanceof z.ZodOptional ? 'none' : '**required**';
}
