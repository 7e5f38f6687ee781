// The dependencies of the batch endpoints.
import type { BatchWorkflows } from '../../workflows/batch-workflows.ts';
import type { ResultWriter } from '../results/result-writer.ts';
import type { BundlesInUse } from '../../models/bundles/catalog.ts';
import type { UploadDependencies } from '../upload/receive.ts';
import type { Networks } from '../http/networks.ts';
import type { BatchParser } from './batch-parser.ts';
import type { BatchFeed } from './feed.ts';

export interface BatchDependencies extends UploadDependencies {
  readonly batches: BatchWorkflows;
  readonly bundles: BundlesInUse;
  readonly batchParser: BatchParser;
  readonly batchFeed: BatchFeed;
  readonly resultWriter: ResultWriter;
  /** Private networks that webhooks may go to. */
  readonly webhookNetworks: Networks;
  /** Private networks that recordings may be fetched from. */
  readonly sourceNetworks: Networks;
}
