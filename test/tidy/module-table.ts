// The table of modules in docs/ARCHITECTURE.md: what each folder may import, from the bottom up.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ModuleRow {
  /** Folder of the tree, without a slash at its end. */
  readonly folder: string;
  /** Folders that it may import from besides itself. */
  readonly folders: readonly string[];
  /** Folders of which it may import types alone. */
  readonly types: readonly string[];
  /** npm packages, and built-ins that have effects. */
  readonly packages: readonly string[];
}

const document = join(import.meta.dirname, '..', '..', 'docs', 'ARCHITECTURE.md');
const heading = '| folder | contains | may import | packages |';

/** Built-ins without effects are open to every folder but workflows, which Temporal replays. */
const pureBuiltIns = /^node:(buffer|events|path|timers\/promises|url|util|zlib)$/;

/** The rows in the order of the document, in which a folder precedes all that import it. */
export function readModuleTable(): readonly ModuleRow[] {
  const lines = readFileSync(document, 'utf8').split('\n');
  const start = lines.indexOf(heading);
  if (start < 0) throw new Error(`docs/ARCHITECTURE.md has no table "${heading}"`);
  const end = lines.findIndex((line, i) => i > start && !line.startsWith('|'));
  return lines.slice(start + 2, end).map((line) => {
    const [, folder = '', , imports = '', packages = ''] = line.split('|');
    const entries = [...imports.matchAll(/(types of )?`([^`]+)`/g)];
    return {
      folder: names(folder)[0] ?? '',
      folders: entries.filter(([, types]) => !types).map(([, , name]) => name!),
      types: entries.filter(([, types]) => types).map(([, , name]) => name!),
      packages: names(packages),
    };
  });
}

function names(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
}

/** The row of the innermost folder that contains the file; null for a file of none. */
export function rowOf(table: readonly ModuleRow[], path: string): ModuleRow | null {
  const rows = table.filter(({ folder }) => path.startsWith(`${folder}/`));
  return rows.toSorted((a, b) => b.folder.length - a.folder.length)[0] ?? null;
}

export interface ImportEdge {
  readonly target: string;
  readonly isRelative: boolean;
  readonly typeOnly: boolean;
}

/** The entry of the row that allows the import; null when none does. */
export function permission(
  table: readonly ModuleRow[],
  row: ModuleRow,
  { target, isRelative, typeOnly }: ImportEdge,
): string | null {
  if (!isRelative) {
    if (pureBuiltIns.test(target) && row.folder !== 'workflows') return target;
    return row.packages.find((name) => matches(name, target)) ?? null;
  }
  const folder = rowOf(table, target)?.folder;
  if (folder === undefined) return null;
  const allowed = typeOnly
    ? [row.folder, ...row.folders, ...row.types]
    : [row.folder, ...row.folders];
  return allowed.find((name) => name === folder) ?? null;
}

/** `node:*` and `@scope/*` stand for all that begin so; a package's name for its subpaths too. */
function matches(name: string, target: string): boolean {
  if (name.endsWith('*')) return target.startsWith(name.slice(0, -1));
  return target === name || target.startsWith(`${name}/`);
}
