// The programs of `npm run cluster`: Temporal's server as operators run it, and a proxy.
import { join } from 'node:path';
import { repositoryRoot } from './directories.mjs';
import { ensureGoPrograms } from './go-programs.mjs';
import { installPrograms } from './programs.mjs';
import { which } from './processes.mjs';
import { ensureLocked, ensurePip } from './python.mjs';

/** The version of deploy/compose.yaml; PyPI and npm have its development server alone. */
const programs = {
  SVC_TEMPORAL_SERVER_BINARY: { name: 'server', from: 'go.temporal.io/server/cmd/server@v1.29.1' },
  SVC_TEMPORAL_SQL_BINARY: { name: 'sql', from: 'go.temporal.io/server/cmd/tools/sql@v1.29.1' },
};

/**
 * @returns {Promise<Record<string, string>>} variables with their paths
 * @throws SetupError
 */
export async function ensureClusterTools() {
  if (which('ip') === null) await installPrograms(['iproute2'], 'the networks of the cluster');
  const lock = join(repositoryRoot, 'tools', 'caddy.txt');
  return {
    ...(await ensureGoPrograms(programs)),
    SVC_CADDY_BINARY: await ensureLocked('caddy', lock, ensurePip),
  };
}
