// The programs that read the manifests of deploy/ as an operator's would: `npm run manifests`.
import fs from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheDirectory, repositoryRoot } from './directories.mjs';
import { ensureGoPrograms } from './go-programs.mjs';
import { ensureLocked, ensurePip } from './python.mjs';
import { SetupError, run, step, which } from './processes.mjs';

/** Go checks every version against its public sums. */
const programs = {
  SVC_HELM_BINARY: { name: 'helm', from: 'helm.sh/helm/v3/cmd/helm@v3.19.0' },
  SVC_KUBECONFORM_BINARY: {
    name: 'kubeconform',
    from: 'github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0',
  },
  /** The loader of Compose's own reference, which holds its schema. */
  SVC_COMPOSE_BINARY: { name: 'cmd', from: 'github.com/compose-spec/compose-go/v2/cmd@v2.9.1' },
};
/** Has the schema of the scaled objects that the chart makes. */
const kedaModule = 'github.com/kedacore/keda/v2@v2.17.2';

/**
 * @returns {Promise<Record<string, string>>} variables with the paths of programs and schemas
 * @throws SetupError
 */
export async function ensureManifestTools() {
  const locks = join(repositoryRoot, 'tools');
  const hadolint = await ensureLocked('hadolint', join(locks, 'hadolint.txt'), ensurePip);
  const validate = await ensureLocked(
    'kubernetes-validate',
    join(locks, 'kubernetes-validate.txt'),
    ensurePip,
  );
  const built = await ensureGoPrograms(programs);
  return {
    ...built,
    SVC_HADOLINT_BINARY: hadolint,
    SVC_PROMTOOL_BINARY: await ensurePromtool(),
    SVC_KUBERNETES_SCHEMAS: join(
      dirname(dirname(validate)),
      'kubernetes_validate',
      'kubernetes-json-schema',
    ),
    SVC_KEDA_MODULE: await moduleFolder(kedaModule),
  };
}

/** Debian's package has it beside the server; it is laid out without being installed. */
async function ensurePromtool() {
  const found = which('promtool');
  if (found !== null) return found;
  const folder = join(cacheDirectory, 'manifest-tools', 'prometheus');
  const path = join(folder, 'usr', 'bin', 'promtool');
  if (fs.existsSync(path)) return path;
  if (which('apt-get') === null) {
    throw new SetupError('promtool is missing: install Prometheus, or put promtool on PATH.');
  }
  fs.mkdirSync(folder, { recursive: true });
  await step('fetching promtool', async () => {
    await run('apt-get', ['download', '-q', 'prometheus'], { cwd: folder });
    const archive = fs.readdirSync(folder).find((file) => file.endsWith('.deb'));
    await run('dpkg', ['-x', archive, '.'], { cwd: folder });
  });
  return path;
}

async function moduleFolder(module) {
  const told = await run('go', ['mod', 'download', '-json', module], { cwd: cacheDirectory });
  return JSON.parse(told).Dir;
}
