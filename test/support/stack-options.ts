// The options of a test's stack; everything has a default.
import type { FeedLimits } from '../../api/batches/feed.ts';
import type { FailureLimits } from '../../api/http/failures-left.ts';
import type { UploadDeadlines } from '../../api/http/deadlines.ts';
import type { BodyGates } from '../../api/http/body-slots.ts';
import type { Networks } from '../../api/http/networks.ts';
import type { ServerPorts } from './environment.ts';

export interface StackOptions {
  readonly answerDeadlineMs?: number;
  readonly allowanceSeconds?: number;
  /** Without a worker nothing is analysed: for tests that start their own, or need none. */
  readonly worker?: boolean;
  /** The worker's model folder, if it differs from that of the tests. */
  readonly modelsDirectory?: string;
  readonly uploadDeadlines?: UploadDeadlines;
  readonly bodies?: Partial<BodyGates>;
  readonly trustedProxies?: Networks;
  readonly failureLimits?: FailureLimits;
  readonly feedLimits?: Partial<FeedLimits>;
  readonly spectraUploads?: number;
  readonly spectraRuns?: number;
  readonly sessionSetUps?: number;
  readonly sessions?: boolean;
  readonly directStreaming?: boolean;
  /** Starts a stream worker too. */
  readonly streams?: boolean;
  readonly streamEnvironment?: Readonly<Record<string, string>>;
  readonly workerEnvironment?: Readonly<Record<string, string>>;
  /** API processes beside the test's own. */
  readonly apiEnvironment?: Readonly<Record<string, string>>;
  /**
   * Default: true, so that no time limit of the service for a call of a server fails a test on a
   * slow machine. False for what measures the service as it is.
   */
  readonly patient?: boolean;
  /** Reads what the processes log. */
  readonly onLog?: (text: string) => void;
  /** Where the processes reach the servers on loopback, if not where the test does. */
  readonly ports?: ServerPorts;
}
