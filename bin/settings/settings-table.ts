// The reference of settings, generated from the schemas of the roles.
import { z } from 'zod';
import { apiSettings } from './api-config.ts';
import { factsOf, fileVariable, setting, type Settings } from './read-config.ts';
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
    // The stack makes the file while its servers start.
    SVC_WORKFLOW_BUNDLE: setting(
      z.string().optional(),
      factsOf(workerSettings.shape.SVC_WORKFLOW_BUNDLE),
    ),
  },
  // Set-up has no other rules, and all processes have the same.
  rules: apiSettings.rules,
} satisfies Settings;

/** Settings whose default depends on the machine; the description explains it. */
const ofTheMachine = ['SVC_MODELS_DIR', 'SVC_INFERENCE_PROCESSES', 'SVC_TEMPORARY_DIR'];

interface Row {
  readonly name: string;
  readonly roles: readonly string[];
  /** The roles of each default. */
  readonly fallbacks: ReadonlyMap<string, readonly string[]>;
  /** Values that are accepted, where they can be listed. */
  readonly values: readonly string[];
  readonly facts: ReturnType<typeof factsOf>;
  readonly file: string;
}

/** A Markdown table of every setting, in the order of the roles that read it. */
export function settingsTable(): string {
  const lines = rows().map(({ name, roles, fallbacks, values, facts, file }) => {
    const marks = facts.secret ? ' (secret)' : '';
    const from = facts.secret || facts.file ? `; or \`${file}\`` : '';
    const is = facts.description + listed(values, facts.description) + marks;
    return `| \`${name}\`${from} | ${roles.join(', ')} | ${defaultsOf(fallbacks)} | ${is} |`;
  });
  return ['| variable | roles | default | description |', '|---|---|---|---|', ...lines].join('\n');
}

/** Nothing where the description has them all. */
function listed(values: readonly string[], description: string): string {
  const missing = values.filter((value) => !description.includes(value));
  if (missing.length === 0) return '';
  return ` (${values.map((value) => `\`${value}\``).join(', ')})`;
}

/** Roles are named where their defaults differ. */
function defaultsOf(fallbacks: Row['fallbacks']): string {
  if (fallbacks.size === 1) return [...fallbacks.keys()].join();
  return [...fallbacks].map(([value, roles]) => `${value} (${roles.join(', ')})`).join(' or ');
}

function rows(): readonly Row[] {
  const all = new Map<string, Row>();
  for (const [role, { shape }] of Object.entries(roleSettings)) {
    for (const [name, schema] of Object.entries(shape)) {
      const known = all.get(name);
      const fallback = fallbackOf(name, schema);
      const fallbacks = new Map(known?.fallbacks);
      fallbacks.set(fallback, [...(fallbacks.get(fallback) ?? []), role]);
      all.set(name, {
        ...{ name, roles: [...(known?.roles ?? []), role], fallbacks },
        ...{ values: valuesOf(schema), facts: factsOf(schema), file: fileVariable(name, schema) },
      });
    }
  }
  return [...all.values()];
}

/** Of an enumeration, with or without a default; of a switch its two usual words. */
function valuesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional)
    return valuesOf(schema.def.innerType);
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  return schema instanceof z.ZodPipe && schema.def.out instanceof z.ZodBoolean
    ? ['true', 'false']
    : [];
}

function fallbackOf(name: string, schema: z.core.$ZodType): string {
  if (ofTheMachine.includes(name)) return 'see description';
  if (schema instanceof z.ZodDefault) {
    const value = schema.def.defaultValue;
    return value === '' ? 'none' : `\`${String(value)}\``;
  }
  return schema instanceof z.ZodOptional ? 'none' : '**required**';
}
