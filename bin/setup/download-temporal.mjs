// Lets Temporal's SDK download its development server into a folder; prints the binary's path.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { TestWorkflowEnvironment } from '@temporalio/testing';

const folder = process.argv[2];
const environment = await TestWorkflowEnvironment.createLocal({
  server: { executable: { type: 'cached-download', downloadDir: folder } },
});
await environment.teardown();
const binary = readdirSync(folder).find((name) => name.startsWith('temporal'));
if (binary === undefined) throw new Error(`the SDK left no server in ${folder}`);
process.stdout.write(`${join(folder, binary)}\n`);
