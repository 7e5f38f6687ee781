// The means that separate an untrusted process from the rest of the machine; pure.

export interface Isolation {
  /** Its own mounts, processes, network and IPC, by bubblewrap. */
  readonly namespaces: boolean;
  /** The namespaces are created in a user namespace, which needs no privileges, or else by root. */
  readonly userNamespace: boolean;
  /** It may only make the system calls that it needs. */
  readonly callFilter: boolean;
  /** A user and a group that nothing else on the machine uses. */
  readonly ownUser: boolean;
  /** Resource limits, no capabilities and no new privileges, by util-linux. */
  readonly limits: boolean;
}

/** The user of a process in a user namespace, whatever it is outside. */
export const userOfNamespace = 65_534;

/** An empty environment and no inherited descriptors, which every machine can provide. */
export const noIsolation: Isolation = {
  namespaces: false,
  userNamespace: false,
  callFilter: false,
  ownUser: false,
  limits: false,
};
const limited: Isolation = { ...noIsolation, limits: true };
const ownNamespaces: Isolation = { ...limited, namespaces: true };
const byUserNamespace: Isolation = { ...ownNamespaces, userNamespace: true };

/** Strongest first. Root that may not mount, as in most containers, can still change the user. */
export function candidates(root: boolean): readonly Isolation[] {
  const forAll = [
    { ...byUserNamespace, callFilter: true },
    byUserNamespace,
    ...(root ? [{ ...limited, ownUser: true }] : []),
    limited,
    noIsolation,
  ];
  if (!root) return forAll;
  const ownUser = { ...ownNamespaces, ownUser: true };
  return [{ ...ownUser, callFilter: true }, ownUser, ...forAll];
}

/** Which parts of the strongest isolation a process has and lacks, in words for an operator. */
export function isolationOf(
  { namespaces, callFilter, ownUser, limits }: Isolation,
  root: boolean,
): { readonly present: readonly string[]; readonly missing: readonly string[] } {
  const parts: readonly (readonly [boolean, string])[] = [
    [true, 'an empty environment'],
    [limits, 'resource limits (util-linux)'],
    [namespaces, 'mounts, processes and a network of its own (bubblewrap)'],
    [callFilter, 'a filter of system calls'],
    ...(root ? [[ownUser, 'a user of its own'] as const] : []),
  ];
  return {
    present: parts.filter(([there]) => there).map(([, name]) => name),
    missing: parts.filter(([there]) => !there).map(([, name]) => name),
  };
}
