// What separates a process of untrusted code from the rest of the machine; pure.

export interface Isolation {
  /** Mounts, processes, network and IPC of its own, by bubblewrap. */
  readonly namespaces: boolean;
  /** Made by a user namespace, which needs no rights; else by root. */
  readonly userNamespace: boolean;
  /** It can make only the system calls that it needs. */
  readonly callFilter: boolean;
  /** A user and a group that nothing else on the machine has. */
  readonly ownUser: boolean;
  /** Resource limits, no capabilities, no new privileges, by util-linux. */
  readonly limits: boolean;
}

/** An empty environment and no inherited descriptors: that much every machine gives. */
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

/** The fullest first. Root that may not mount, as in most containers, still changes its user. */
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

/** What a process has of the fullest isolation, and what it has not, as a person would say it. */
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
