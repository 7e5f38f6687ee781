// `npm run conformance -- --base URL --key KEY`: checks every sentence of the specification against
// a deployment; without an address, against a stack of its own with every kind of account.
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Document } from './case.ts';
import { entries } from './entries.ts';
import { ownDeployment } from './own-deployment.ts';
import { runPlanted } from './planted-run.ts';
import type { Target } from './service.ts';
import { runSuite, type Outcome } from './suite.ts';
import { unquotedLines } from './unquoted.ts';

interface Options {
  readonly base?: string;
  readonly key?: string;
  readonly otherKey?: string;
  readonly secondKey?: string;
  readonly emptyKey?: string;
  readonly limitedKey?: string;
  readonly smallKey?: string;
  readonly minuteKey?: string;
  readonly rateKey?: string;
  readonly fullKey?: string;
  readonly suspendedKey?: string;
  readonly trialKey?: string;
  readonly unapprovedKey?: string;
  readonly only?: string;
  readonly unquoted?: boolean;
  readonly planted?: boolean;
  readonly json?: boolean;
}

const options = new Command('conformance')
  .option('--base <url>', 'base address of the deployment')
  .option('--key <key>', 'API key of an organization with 20 hours of allowance')
  .option('--other-key <key>', 'key of another organization')
  .option('--second-key <key>', 'second key of the same organization')
  .option('--empty-key <key>', 'key of an organization without allowance')
  .option('--limited-key <key>', 'key of an organization with 6,000 seconds left')
  .option('--small-key <key>', 'key of an organization with 100 seconds left')
  .option('--minute-key <key>', 'key of an organization with 60 seconds left and Resonance-2')
  .option('--rate-key <key>', 'key with one request per minute')
  .option('--full-key <key>', 'key of an organization that may keep no files')
  .option('--suspended-key <key>', 'key of a suspended organization')
  .option('--trial-key <key>', 'key of an organization without a paid plan')
  .option(
    '--unapproved-key <key>',
    'key of an organization with 60 seconds left, without Resonance-2',
  )
  .option('--only <text>', 'cases whose number, section or sentence has the text')
  .option('--unquoted', 'list the lines of docs/spec that no case quotes')
  .option('--planted', 'break one rule after the other and see that the suite fails')
  .option('--json', 'print the outcomes as JSON')
  .parse()
  .opts<Options>();

if (options.unquoted) {
  for (const document of ['interface.md', 'contract.md'] as const) listUnquoted(document);
  process.exit(0);
}

if (options.planted) {
  const missed = await runPlanted(options.only, (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`${missed} planted faults were missed\n`);
  process.exit(missed === 0 ? 0 : 1);
}

const own = options.base === undefined ? await ownDeployment() : null;
const target: Target = own?.target ?? givenTarget(options);
const { only } = options;
const outcomes = await runSuite(target, {
  ...(only !== undefined && {
    select: ({ number, section, sentence }) =>
      String(number) === only || `${section} ${sentence}`.includes(only),
  }),
  ...(!options.json && { onOutcome: (outcome) => process.stdout.write(`${lineOf(outcome)}\n`) }),
});
await own?.stop();
const count = (state: Outcome['state']) =>
  outcomes.filter((outcome) => outcome.state === state).length;
if (options.json) {
  const rows = outcomes.map(({ entry: { number, section, from, sentence }, state, reason }) => ({
    ...{ number, section, from, sentence, state, reason },
  }));
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  const failed = outcomes.filter(({ state }) => state === 'failed');
  if (failed.length > 0) process.stdout.write(`\nFailed:\n${failed.map(lineOf).join('\n')}\n`);
  if (failed.some(({ reason }) => reason?.includes('allowance_exhausted'))) {
    process.stdout.write('\nThe allowance of --key was used up; the suite needs 20 hours.\n');
  }
  const rest = `${count('not testable')} not testable from outside`;
  process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed, ${rest}\n`);
}
process.exit(count('failed') === 0 ? 0 : 1);

function givenTarget({ base = '', key, ...keys }: Options): Target {
  if (key === undefined) throw new Error('--base needs --key');
  const known = {
    other: keys.otherKey,
    second: keys.secondKey,
    empty: keys.emptyKey,
    limited: keys.limitedKey,
    small: keys.smallKey,
    minute: keys.minuteKey,
    rate: keys.rateKey,
    full: keys.fullKey,
    suspended: keys.suspendedKey,
    trial: keys.trialKey,
    unapproved: keys.unapprovedKey,
  };
  const given = Object.entries(known).filter(([, value]) => value !== undefined);
  return { base: base.replace(/\/$/, ''), key, keys: Object.fromEntries(given) };
}

function lineOf({ entry, state, reason }: Outcome): string {
  const mark = { passed: '✓', failed: '✗', 'not testable': '–' }[state];
  const number = String(entry.number).padStart(3, '0');
  const why = reason === null ? '' : `\n      ${reason}`;
  return `${mark} ${number} ${entry.section} (${entry.from}): ${entry.sentence}${why}`;
}

/** Shows the author of new cases which rules of a document no case quotes yet. */
function listUnquoted(document: Document): void {
  const folder = join(import.meta.dirname, '..', '..', 'docs', 'spec');
  const text = readFileSync(join(folder, document), 'utf8');
  const quotes = entries.filter(({ from }) => from === document).map(({ sentence }) => sentence);
  for (const { number, text: line } of unquotedLines(text, quotes)) {
    process.stdout.write(`${document}:${number}: ${line}\n`);
  }
}
