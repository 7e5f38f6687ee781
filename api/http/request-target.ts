// What a request asks for (RFC 9112, 3.2), in the form that routes have; pure.

/** An address with an authority; of what follows that the path may be absent. */
const absoluteForm = /^https?:\/\/[^/?#]+([^#]*)/i;

/**
 * The path and query of a target; null when it is neither a path nor an http address. Koa reads
 * targets with `url.parse`, which throws for some hosts: also for what looks like one at the start
 * of a path, where a fragment or a character that no target may have follows.
 */
export function originForm(target: string): string | null {
  if (/[^!-~]/.test(target)) return null;
  if (/^[/*]/.test(target)) return target.replace(/#.*/, '');
  const [, rest] = absoluteForm.exec(target) ?? [];
  if (rest === undefined || !URL.canParse(target)) return null;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
