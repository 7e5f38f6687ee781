// Node's cache of compiled code (docs/adr/0066), for processes without this one's environment.
import { basename, dirname, join } from 'node:path';
import { getCompileCacheDir } from 'node:module';
import { userOfNamespace, type Isolation } from './isolation.ts';

const variable = 'NODE_COMPILE_CACHE';
/** Where a sandbox has the cache. */
const base = '/compiled';

export interface CompiledCode {
  readonly environment: Readonly<Record<string, string>>;
  /** Which folder the process sees as what; absent: none. */
  readonly compiled?: { readonly folder: string; readonly as: string };
}

/** The environment of a process without a sandbox; empty where this process has no cache. */
export function compileCacheEnvironment(): Readonly<Record<string, string>> {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { [variable]: dirname(folder) };
}

/**
 * What a process in a sandbox reads of the cache: it can write none. Node's cache has a folder for
 * each user, whose number ends the name; this process's is shown under the name of the other one's.
 * Node compares each entry with the source it was made from, and compiles what it cannot use.
 * @param user of the process, when it has its own
 */
export function compiledCode({ namespaces, userNamespace }: Isolation, user: number): CompiledCode {
  const folder = getCompileCacheDir();
  if (!namespaces || folder === undefined) return { environment: {} };
  const own = userNamespace ? userOfNamespace : user;
  const as = join(base, basename(folder).replace(/\d+$/, String(own)));
  return { environment: { [variable]: base }, compiled: { folder, as } };
}
