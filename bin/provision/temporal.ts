// What a Temporal server must know before the first workflow: namespace, search attributes, sweep.
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, isGrpcServiceError } from '@temporalio/client';
import { searchAttributeTypes } from '../../workflows/search-attributes.ts';
import { ensureSweepSchedule } from '../process/sweep-schedule.ts';
import type { TemporalAccess } from '../process/temporal-config.ts';
import { temporalLine } from '../process/temporal-line.ts';
import { madeOrThere, type Step } from './step.ts';

export interface TemporalProvision {
  readonly access: TemporalAccess;
  readonly taskQueue: string;
  /** Of a namespace that is made; one that is there keeps its own. */
  readonly retentionDays: number;
}

/** The server refuses what has to be done; the message says who can do it, and how. */
export class TemporalRefused extends Error {
  override readonly name = 'TemporalRefused';
}

const connectTimeoutMs = 15_000;
/** Frontends of a cluster learn of namespaces and attributes some seconds later. */
const patienceMs = 120_000;
const pauseMs = 250;
/** Of gRPC: the server has to be asked again, or cannot do this at all. */
const status = { notFound: 5, alreadyExists: 6, permissionDenied: 7, unimplemented: 12 };

/** Prepares the namespace; what is there stays as it is. */
export async function provisionTemporal(options: TemporalProvision): Promise<readonly Step[]> {
  const { access, taskQueue } = options;
  const { namespace } = access;
  const line = { ...temporalLine(access), connectTimeout: connectTimeoutMs };
  const connection = await Connection.connect(line);
  try {
    const isNew = await ensureNamespace(connection, options);
    const added = await ensureSearchAttributes(connection, namespace);
    const client = new Client({ connection, namespace });
    const scheduled = await untilKnown(() => ensureSweepSchedule(client, taskQueue));
    return [
      madeOrThere(isNew, `namespace ${namespace}`),
      added.length > 0
        ? { outcome: 'made', what: `search attributes ${added.join(', ')}` }
        : { outcome: 'there', what: 'search attributes' },
      madeOrThere(scheduled, `schedule ${taskQueue}-sweep`),
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
    throw refused(error, `make the namespace ${namespace}`, command);
  }
  await untilKnown(() => workflowService.describeNamespace({ namespace }));
  return true;
}

/** @returns the names of those that were missing */
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
      const pairs = missing.map(([name, type]) => `--name ${name} --type ${titled(type)}`);
      const command = `temporal operator search-attribute create --namespace ${namespace} `;
      throw refused(error, 'add search attributes', command + pairs.join(' '));
    }
  }
  await untilSearchable(connection, namespace);
  return missing.map(([name]) => name);
}

/** Of the protocol (temporal.api.enums.v1.IndexedValueType), for the types that are used. */
const indexedValueTypes = { KEYWORD: 2, DOUBLE: 4 } as const;

/** A start that has an attribute which the frontend does not know yet would be refused. */
async function untilSearchable({ workflowService }: Connection, namespace: string): Promise<void> {
  const named = Object.entries(searchAttributeTypes).map(([name, type]) =>
    type === 'KEYWORD' ? `${name} = "none"` : `${name} = 0`,
  );
  await retried(
    () => workflowService.countWorkflowExecutions({ namespace, query: named.join(' AND ') }),
    () => true,
  );
}

/** Asks again while a frontend has not heard of the namespace. */
function untilKnown<T>(ask: () => Promise<T>): Promise<T> {
  return retried(ask, (error) => {
    const cause = error instanceof Error ? (error.cause ?? error) : error;
    return codeOf(cause) === status.notFound || nameOf(error) === 'NamespaceNotFoundError';
  });
}

async function retried<T>(ask: () => Promise<T>, passes: (error: unknown) => boolean): Promise<T> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!passes(error) || performance.now() > deadline) throw error;
      await sleep(pauseMs);
    }
  }
}

function refused(error: unknown, what: string, command: string): unknown {
  const code = codeOf(error);
  if (code !== status.permissionDenied && code !== status.unimplemented) return error;
  const message =
    `Temporal does not let this service ${what}: do it in Temporal Cloud in its console or with ` +
    `its own command line, elsewhere with ${command}`;
  return new TemporalRefused(message, { cause: error });
}

function codeOf(error: unknown): number | null {
  return isGrpcServiceError(error) ? error.code : null;
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : '';
}

/** The command line writes `Keyword` where the protocol has `KEYWORD`. */
function titled(type: string): string {
  return type.charAt(0) + type.slice(1).toLowerCase();
}
