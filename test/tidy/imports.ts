// The imports of a TypeScript file, with whether they remain when the types are stripped. Written
// by hand, because dependency-cruiser reads TypeScript through an API that the native compiler does
// not have.
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path/posix';
import type { TreeFile } from './tree.ts';

export interface Import {
  readonly specifier: string;
  /** Repository path for a relative import, else the package or built-in as written. */
  readonly target: string;
  readonly isRelative: boolean;
  /** True when nothing of it remains at run time. */
  readonly typeOnly: boolean;
}

const statement = /^[ \t]*(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const dynamic = /\bimport(?:\.meta\.resolve)?\(\s*['"]([^'"]+)['"]/g;

/** Lists what a file imports: static, re-exported, dynamic, and resolved through import.meta. */
export function importsOf(file: TreeFile): readonly Import[] {
  const isTypeScript = file.path.endsWith('.ts');
  const atRunTime = new Set(
    specifiersOf(isTypeScript ? stripTypeScriptTypes(file.text) : file.text),
  );
  return [...new Set(specifiersOf(file.text))].map((specifier) => {
    const isRelative = specifier.startsWith('.');
    const target = isRelative ? join(dirname(file.path), specifier) : specifier;
    return { specifier, target, isRelative, typeOnly: !atRunTime.has(specifier) };
  });
}

function specifiersOf(text: string): string[] {
  const code = withoutComments(text);
  return [...code.matchAll(statement), ...code.matchAll(dynamic)].map((match) => match[1] ?? '');
}

/** Only whole-line comments, because that is where an example of an import may occur. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
}
