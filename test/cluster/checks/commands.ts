// What an operator types beside a cluster that works, with the settings of its processes.
import { randomUUID } from 'node:crypto';
import { repositoryRoot } from '../../../bin/settings/stack-settings.ts';
import { send } from '../../faults/send.ts';
import type { FaultOutcome } from '../../faults/fault.ts';
import { call, untilBatch, uploadFile } from '../../support/batches.ts';
import { anAccount } from '../../support/database.ts';
import { tenSeconds, type CheckOptions } from '../under-load.ts';

interface Expected {
  readonly args: readonly string[];
  readonly says: RegExp;
}

export async function commands({ cluster }: CheckOptions): Promise<FaultOutcome> {
  const account = await anAccount(cluster.db);
  const service = { base: cluster.base, account };
  const [id, customId] = [randomUUID(), `order ${randomUUID()}`];
  const file = await tenSeconds();
  const answer = await send(cluster.base, { key: account.key, id, file });
  const fileId = await uploadFile(service, file);
  const items = [{ custom_id: customId, file_id: fileId }];
  const order = { method: 'POST', body: { task: 'transcription', options: {}, items } };
  const { body } = await call(service, '/v1/batches', order);
  const batch = await untilBatch(service, (body as { readonly id: string }).id);
  const outcomes = await Promise.all(
    expectations({ id, customId, organizationId: account.organizationId }).map(
      async ({ args, says }) => {
        const { code, stdout, stderr } = await cluster.svc(repositoryRoot, ...args);
        const isFine = code === 0 && says.test(stdout);
        return isFine ? [] : [`svc ${args.join(' ')} (${code}): ${stdout}${stderr}`];
      },
    ),
  );
  for (const path of [`/v1/batches/${batch.id}`, `/v1/files/${fileId}`]) {
    await call(service, path, { method: 'DELETE' });
  }
  const broken = outcomes.flat();
  return {
    figures: [`${outcomes.length - broken.length} of ${outcomes.length} commands said it`],
    broken: [...broken, ...(answer === '200' ? [] : [`a call was answered ${answer}`])],
  };
}

interface Named {
  readonly id: string;
  readonly customId: string;
  readonly organizationId: string;
}

function expectations({ id, customId, organizationId }: Named): readonly Expected[] {
  const found = new RegExp(`${organizationId}[^]*completed[^]*req/${organizationId}/`);
  return [
    { args: ['where', id], says: found },
    { args: ['where', customId], says: found },
    { args: ['backlog'], says: /svc-bulk-inference/ },
    { args: ['doctor'], says: /^✓ Temporal/im },
    { args: ['admin', 'request', organizationId, id], says: /completed/ },
    { args: ['admin', 'ledger', '--days', '2'], says: /agree/ },
    { args: ['setup'], says: /^exists +schedule svc-sweep$/m },
  ];
}
