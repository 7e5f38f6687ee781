// Prepared sessions in Temporal: started once, slots claimed by Updates, every call with a
// deadline.
import { spectraModel } from '../../models/contract/served-models.ts';
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { callWithin } from '../runs/call-temporal.ts';
import { idHash } from '../../db/object-keys.ts';
import type { PreparedSession } from '../../db/sessions.ts';
import { ServiceError } from '../../models/contract/errors.ts';
import { sessionWorkflowId, streamQueue } from '../../workflows/ids.ts';
import { searchAttributes } from '../../workflows/search-attributes.ts';
import type { PreparedSessionInput, SlotClaim } from '../../workflows/types.ts';

export interface SessionWorkflows {
  /** @throws ServiceError setup_unconfirmed */
  start(session: PreparedSession): Promise<void>;
  /** @throws ServiceError setup_unconfirmed */
  claim(session: PreparedSession, slot: number): Promise<SlotClaim>;
}

const timeoutMs = 5_000;

export function createSessionWorkflows(client: Client, taskQueue: string): SessionWorkflows {
  return {
    async start(session) {
      const { organizationId, sessionId, slots, expiresAtMs, capacitySeconds } = session;
      const lifeMs = Math.ceil(session.remainingSeconds * 1_000);
      const input: PreparedSessionInput = { organizationId, sessionId, slots, expiresAtMs, lifeMs };
      await confirmed(client, () =>
        client.workflow.start('preparedSession', {
          workflowId: sessionWorkflowId(organizationId, idHash(sessionId)),
          taskQueue: streamQueue(taskQueue),
          args: [input],
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          staticSummary: `prepared session, ${slots} slots, ${capacitySeconds} s`,
          staticDetails: `Organization ${organizationId}.`,
          typedSearchAttributes: searchAttributes({ organizationId, model: spectraModel }),
          priority: { priorityKey: 1, fairnessKey: organizationId },
        }),
      );
    },
    claim: ({ organizationId, sessionId }, slot) =>
      confirmed(client, () =>
        client.workflow
          .getHandle(sessionWorkflowId(organizationId, idHash(sessionId)))
          .executeUpdate<SlotClaim, [number]>('claimSlot', {
            args: [slot],
            updateId: randomUUID(),
          }),
      ),
  };
}

async function confirmed<T>(client: Client, work: () => Promise<T>): Promise<T> {
  try {
    return await callWithin(client, timeoutMs, work);
  } catch (cause) {
    throw setUpUnconfirmed(cause);
  }
}

/** Of a set-up whose outcome is unknown, because Temporal or the database failed in it. */
export function setUpUnconfirmed(cause: unknown): ServiceError {
  const message =
    'The set-up could not be confirmed, and nothing was analysed; prepare a new session.';
  return new ServiceError('setup_unconfirmed', message, { cause });
}
