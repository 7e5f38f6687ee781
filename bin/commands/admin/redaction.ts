// `svc admin redaction`: what an organization removes from every transcript.
import type { Command } from 'commander';
import { findRedaction, setRedaction } from '../../../db/redaction-defaults.ts';
import { redactionKinds, type Redaction } from '../../../models/contract/redaction.ts';
import { redactionOf } from '../../../models/redaction/redaction-of.ts';
import { operator } from '../../process/operator.ts';
import { listOf, parseText, readLines } from '../arguments.ts';
import { withDatabase } from './database.ts';

interface SetOptions {
  readonly kinds?: string;
  readonly namesFile?: string;
}

const nothing: Redaction = { kinds: [], names: [] };

export function addRedactionCommands(admin: Command): void {
  const redaction = admin
    .command('redaction')
    .description('what an organization removes from every transcript');
  redaction
    .command('set <organization>')
    .description('replace the rules; a request may add to them, but not take away')
    .option(
      '--kinds <kinds>',
      `${redactionKinds.join(', ')}, separated by commas`,
      parseText('--kinds'),
    )
    .option('--names-file <file>', 'a name on each line; only hashes of them are stored')
    .action(async (organizationId: string, options: SetOptions) => {
      const { redact = nothing } = redactionOf({
        kinds: parseKinds(options.kinds ?? ''),
        names: options.namesFile === undefined ? [] : await readNames(options.namesFile),
      });
      if (redact === nothing) throw new Error('give --kinds, --names-file or both');
      await change(organizationId, redact);
    });
  redaction
    .command('clear <organization>')
    .description('remove nothing unless a request says so')
    .action((organizationId: string) => change(organizationId, nothing));
  redaction
    .command('show <organization>')
    .description('print the rules; names are stored as hashes of their spellings, and counted')
    .action(async (organizationId: string) => {
      const found = await withDatabase((db) => findRedaction(db, organizationId));
      process.stdout.write(line(organizationId, found ?? nothing));
    });
}

/** @throws for a file without names */
async function readNames(path: string): Promise<readonly string[]> {
  const names = await readLines(path);
  if (names.length === 0) throw new Error('--names-file has no names; leave it out');
  return names;
}

async function change(organizationId: string, redaction: Redaction): Promise<void> {
  const actor = operator();
  await withDatabase((db) => setRedaction(db, { organizationId, actor, redaction }));
  process.stdout.write(line(organizationId, redaction));
}

function line(organizationId: string, { kinds, names }: Redaction): string {
  const rules = [...kinds, ...(names.length > 0 ? [`${names.length} hashes of names`] : [])];
  return `${organizationId}: ${rules.join(', ') || 'nothing'}\n`;
}

/** @throws for a kind that is none */
function parseKinds(text: string): Redaction['kinds'] {
  const given = listOf(text);
  const wrong = given.find((kind) => !(redactionKinds as readonly string[]).includes(kind));
  if (wrong !== undefined)
    throw new Error(`--kinds takes ${redactionKinds.join(', ')}, got "${wrong}"`);
  return given as unknown as Redaction['kinds'];
}
