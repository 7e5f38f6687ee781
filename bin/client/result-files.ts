// Names of the files that a run writes, and which files of a folder of recordings are such.
import { basename, extname, sep } from 'node:path';
import { fileExtensions } from '../../models/contract/containers.ts';

export const journalName = 'journal.jsonl';
const resultEnding = '.json';

export interface Folders {
  /** Of the recordings. */
  readonly folder: string;
  /** Of the results: within the other, the same, or elsewhere. */
  readonly out: string;
}

/** @param path of a recording */
export function resultName(path: string): string {
  return `${path}${resultEnding}`;
}

/** Whether a file of the recordings' folder is a result, the journal, or the results' folder. */
export function isOfResults(path: string, { folder, out }: Folders): boolean {
  if (out === folder) return isNameOfRun(basename(path));
  return out.startsWith(`${folder}${sep}`) && `${path}${sep}`.startsWith(`${out}${sep}`);
}

function isNameOfRun(name: string): boolean {
  if (!name.endsWith(resultEnding)) return name === journalName;
  return fileExtensions.has(extname(basename(name, resultEnding)).toLowerCase());
}
