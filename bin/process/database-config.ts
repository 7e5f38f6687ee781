// Where PostgreSQL is, and how it is spoken to.
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { setting, type Settings } from './read-config.ts';

/** libpq's modes, but for those that go on in clear text without a word. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** An address with libpq's parameters. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const problem = urlProblem(text);
  if (problem !== null) context.addIssue(problem);
});

export const databaseSettings = {
  shape: {
    DATABASE_URL: setting(databaseUrl, {
      description:
        'PostgreSQL as the service connects: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with ' +
        `\`?sslmode=\` ${sslModes.join(', ')} and \`sslrootcert=PATH\``,
      secret: true,
    }),
  },
  rules: [],
} satisfies Settings;

/** @returns why the address cannot be used, without its password; null when it can */
function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return 'takes postgres://…, and is none';
  if (url.pathname.length < 2) return 'names no database: it ends with /DATABASE';
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (!sslModes.includes(mode)) return `sslmode is one of ${sslModes.join(', ')}, got "${mode}"`;
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    return 'sslmode=verify-ca needs sslrootcert, a file with the authority that has to have signed';
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = url.searchParams.get(name);
    if (path !== null && !existsSync(path)) return `${name} names a file that is not here: ${path}`;
  }
  return null;
}

/** How many connections a process may open. @param usual when nobody says */
export function connectionsSetting(usual: number) {
  return setting(z.coerce.number().int().min(1).max(1_000).default(usual), {
    description: 'connections to PostgreSQL that a process may open',
  });
}
