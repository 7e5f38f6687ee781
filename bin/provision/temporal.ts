// Prepares a Temporal server for the service: namespace, search attributes, sweep schedule.
import { Client, isGrpcServiceError, type Connection } from '@temporalio/client';
import { retryWithin } from '../../models/concurrency/retry-within.ts';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { namespaceRetries, untilKnown } from '../process/known-namespace.ts';
import { ensureSweepSchedule } from '../process/sweep-schedule.ts';
import type { TemporalAccess } from '../settings/temporal-config.ts';
import { connectTemporal } from '../process/temporal-connection.ts';
import { createdOrExisting, type Step } from './step.ts';

/** How long the UI shows closed workflows, unless an operator says otherwise. */
export const defaultRetentionDays = 7;

export interface TemporalProvision {
  readonly access: TemporalAccess;
  readonly taskQueue: string;
  /** Retention of a new namespace; an existing one keeps its own. */
  readonly retentionDays: number;
}

/** The server does not permit a step; the message says who can do it, and how. */
class TemporalPermissionError extends Error {
  override readonly name = 'TemporalPermissionError';
}

const connectTimeoutMs = 15_000;
/** gRPC status codes. */
const status = { notFound: 5, alreadyExists: 6, permissionDenied: 7, unimplemented: 12 };

/** Creates what is missing, and leaves what exists unchanged. */
export async function provisionTemporal(options: TemporalProvision): Promise<readonly Step[]> {
  const { access, taskQueue } = options;
  const { namespace } = access;
  const connection = await connectTemporal(access, connectTimeoutMs);
  try {
    const isNew = await ensureNamespace(connection, options);
    const added = await ensureSearchAttributes(connection, namespace);
    const client = new Client({ connection, namespace });
    const scheduled = await ensureSweepSchedule(client, taskQueue);
    return [
      createdOrExisting(isNew, `namespace ${namespace}`),
      added.length > 0
        ? { outcome: 'created', what: `search attributes ${added.join(', ')}` }
        : { outcome: 'exists', what: 'search attributes' },
      createdOrExisting(scheduled, `schedule ${taskQueue}-sweep`),
    ];
  } finally {
    await connection.close();
  }
}

async function ensureNamespace(
  { workflowService }: Connection,
  { access: { namespace }, retentionDays }: TemporalProvision,
): Promise<boolean> {
  try {
    await workflowService.describeNamespace({ namespace });
    return false;
  } catch (error) {
    if (codeOf(error) !== status.notFound) throw error;
  }
  try {
    const seconds = (retentionDays * 86_400) as never;
    await workflowService.registerNamespace({
      namespace,
      description: 'Speech analysis',
      workflowExecutionRetentionPeriod: { seconds },
    });
  } catch (error) {
    if (codeOf(error) === status.alreadyExists) return false;
    const command = `temporal operator namespace create --namespace ${namespace}`;
    throw permissionError(error, `create the namespace ${namespace}`, command);
  }
  await untilKnown(() => workflowService.describeNamespace({ namespace }));
  return true;
}

/** @returns the names of the attributes that were missing */
async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
): Promise<readonly string[]> {
  const { operatorService } = connection;
  const known = await untilKnown(() => operatorService.listSearchAttributes({ namespace }));
  const missing = Object.entries(searchAttributeTypes).filter(
    ([name]) => known.customAttributes?.[name] === undefined,
  );
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(
      missing.map(([name, type]) => [name, indexedValueTypes[type]]),
    );
    try {
      await operatorService.addSearchAttributes({ namespace, searchAttributes });
    } catch (error) {
      const pairs = missing.map(([name, type]) => `--name ${name} --type ${commandLineType(type)}`);
      const command = `temporal operator search-attribute create --namespace ${namespace} `;
      throw permissionError(error, 'add search attributes', command + pairs.join(' '));
    }
  }
  await waitUntilSearchable(connection, namespace);
  return missing.map(([name]) => name);
}

/** Values of temporal.api.enums.v1.IndexedValueType, for the types in use. */
const indexedValueTypes = { KEYWORD: 2, DOUBLE: 4 } as const;

/** A frontend rejects starts with an attribute that it does not know yet. */
async function waitUntilSearchable(
  { workflowService }: Connection,
  namespace: string,
): Promise<void> {
  const named = Object.entries(searchAttributeTypes).map(([name, type]) =>
    type === 'KEYWORD' ? `${name} = "none"` : `${name} = 0`,
  );
  await retryWithin(namespaceRetries, () =>
    workflowService.countWorkflowExecutions({ namespace, query: named.join(' AND ') }),
  );
}

function permissionError(error: unknown, what: string, command: string): unknown {
  const code = codeOf(error);
  if (code !== status.permissionDenied && code !== status.unimplemented) return error;
  const message =
    `Temporal does not permit this service to ${what}. In Temporal Cloud use its console or ` +
    `command line, elsewhere run: ${command}`;
  return new TemporalPermissionError(message, { cause: error });
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? error.code : null;
}

/** The name of a type on Temporal's command lines: `Keyword` where the protocol has `KEYWORD`. */
export function commandLineType(type: string): string {
  return type.charAt(0) + type.slice(1).toLowerCase();
}
