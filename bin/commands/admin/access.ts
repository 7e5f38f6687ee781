// `svc admin access`: grants of models that need approval.
import type { Command } from 'commander';
import { accessState, decideAccess } from '../../../db/model-access.ts';
import { describeOrganization } from '../../../db/organizations.ts';
import { models } from '../../../models/contract/served-models.ts';
import { operator } from '../../process/operator.ts';
import { withDatabase } from './database.ts';

const gated: readonly string[] = models
  .filter(({ access }) => access === 'approval')
  .map(({ id }) => id);
const [byApproval] = gated;
const decisions = { approve: 'approved', deny: 'denied', revoke: 'revoked' } as const;

export function addAccessCommands(admin: Command): void {
  const access = admin.command('access').description('access to models that need approval');
  for (const [verb, status] of Object.entries(decisions)) {
    access
      .command(`${verb} <organization>`)
      .description(`${verb} the organization's access`)
      .option('--model <id>', 'the model', byApproval)
      .action(async (organizationId: string, { model }: { model: string }) => {
        requireGated(model);
        const decision = { organizationId, model, status, actor: operator() };
        await withDatabase(async (db) => {
          await describeOrganization(db, organizationId);
          await decideAccess(db, decision);
        });
        process.stdout.write(`${organizationId} ${model}: ${status}\n`);
      });
  }
  access
    .command('show <organization>')
    .description("print the organization's access")
    .option('--model <id>', 'the model', byApproval)
    .action(async (organizationId: string, { model }: { model: string }) => {
      requireGated(model);
      const state = await withDatabase(async (db) => {
        await describeOrganization(db, organizationId);
        return accessState(db, organizationId, model);
      });
      process.stdout.write(`${organizationId} ${model}: ${state}\n`);
    });
}

/** @throws for a model that needs no approval, or is none */
function requireGated(model: string): void {
  if (!gated.includes(model))
    throw new Error(`${model} needs no approval; ${gated.join(', ')} does`);
}
