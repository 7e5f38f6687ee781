// `npm run manifests`: what deploy/ holds, read by the tools that operators give it to.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checks } from './checks.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
let failed = 0;
for (const { title, run } of checks) {
  const began = performance.now();
  try {
    run(folder);
    console.log(`✓ ${title} (${((performance.now() - began) / 1_000).toFixed(1)} s)`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${title}\n  ${error instanceof Error ? error.message : String(error)}`);
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(failed === 0 ? 'The manifests hold.' : `${failed} failed.`);
process.exit(failed === 0 ? 0 : 1);
