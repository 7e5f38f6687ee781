// `svc admin vocabulary`: the terms that recognition prefers in an organization's recordings.
import type { Command } from 'commander';
import { findVocabulary, setVocabulary } from '../../../db/vocabulary-defaults.ts';
import { problemOfTerms, uniqueTerms } from '../../../models/contract/vocabulary.ts';
import { operator } from '../../process/operator.ts';
import { readLines } from '../arguments.ts';
import { withDatabase } from './database.ts';

export function addVocabularyCommands(admin: Command): void {
  const vocabulary = admin
    .command('vocabulary')
    .description("names and terms that recognition prefers in an organization's recordings");
  vocabulary
    .command('set <organization>')
    .description('replace the terms; those of a request are added to them')
    .requiredOption('--terms-file <file>', 'a term on each line, as it is to be written')
    .action(async (organizationId: string, { termsFile }: { readonly termsFile: string }) => {
      const terms = uniqueTerms(await readLines(termsFile));
      const problem = problemOfTerms(terms);
      if (problem) throw new Error(`--terms-file ${problem}`);
      if (terms.length === 0) throw new Error('--terms-file has no terms; use vocabulary clear');
      await change(organizationId, terms);
    });
  vocabulary
    .command('clear <organization>')
    .description('prefer nothing unless a request says so')
    .action((organizationId: string) => change(organizationId, []));
  vocabulary
    .command('show <organization>')
    .description('print the terms, one on each line')
    .action(async (organizationId: string) => {
      const terms = await withDatabase((db) => findVocabulary(db, organizationId));
      process.stdout.write(terms.map((term) => `${term}\n`).join(''));
      // Not where the terms are, which may be on their way to a file.
      if (terms.length === 0) process.stderr.write('no terms\n');
    });
}

async function change(organizationId: string, terms: readonly string[]): Promise<void> {
  const actor = operator();
  await withDatabase((db) => setVocabulary(db, { organizationId, actor, terms }));
  process.stdout.write(`${organizationId}: ${terms.length} terms\n`);
}
