// The dependencies that all endpoints share.
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import type { CredentialFailures } from './credential-failures.ts';
import type { UploadDeadlines } from './deadlines.ts';
import type { Networks } from './networks.ts';
import type { BodyGates } from './body-slots.ts';
import type { RequestThrottle } from './request-throttle.ts';

export interface HttpDependencies {
  readonly db: Db;
  readonly logger: Logger;
  readonly credentialFailures: CredentialFailures;
  readonly throttle: RequestThrottle;
  readonly uploadDeadlines: UploadDeadlines;
  /** Concurrent request bodies; beyond them the answer is 429 `rate_limited`. */
  readonly bodies: BodyGates;
  /** Networks of the proxies whose forwarded headers are trusted. */
  readonly trustedProxies: Networks;
}
