// Settings of the connection to PostgreSQL.
import { existsSync } from 'node:fs';
import { z } from 'zod';
import { setting, wholeNumber, type Settings } from './read-config.ts';

/** libpq's modes except `allow` and `prefer`, which silently fall back to clear text. */
const sslModes = ['disable', 'require', 'verify-ca', 'verify-full'];

/** A connection URL with libpq's parameters. */
export const databaseUrl = z.string().superRefine((text, context) => {
  const problem = urlProblem(text);
  if (problem !== null) context.addIssue(problem);
});

export const databaseSettings = {
  shape: {
    DATABASE_URL: setting(databaseUrl, {
      description:
        'connection URL of the service: `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with ' +
        `\`?sslmode=\` ${sslModes.join(', ')} and \`sslrootcert=PATH\``,
      secret: true,
    }),
  },
  rules: [],
} satisfies Settings;

/** @returns why the URL is invalid, without its password; null when it is valid */
function urlProblem(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol)) return 'must be a URL postgres://…';
  if (url.pathname.length < 2) return 'must name a database: postgres://…/DATABASE';
  const mode = url.searchParams.get('sslmode') ?? 'disable';
  if (!sslModes.includes(mode))
    return `sslmode must be one of ${sslModes.join(', ')}, got "${mode}"`;
  if (mode === 'verify-ca' && !url.searchParams.has('sslrootcert')) {
    return 'sslmode=verify-ca needs sslrootcert, the file of the certificate authority';
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const path = url.searchParams.get(name);
    if (path !== null && !existsSync(path))
      return `${name} names a file that does not exist: ${path}`;
  }
  return null;
}

/** The defaults; `svc capacity` counts with them. */
export const connectionsPerWorker = 10;
export const connectionsPerApi = 20;
/** Beside its pool an API has one on which it listens for completions. */
export const listeningConnections = 1;

/** The size of a process's connection pool. @param fallback its default */
export function connectionsSetting(fallback: number) {
  return setting(wholeNumber({ min: 1, max: 1_000 }).default(fallback), {
    description: 'connections to PostgreSQL per process',
  });
}
