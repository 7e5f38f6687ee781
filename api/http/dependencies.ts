// What endpoints need of the process, whatever they answer.
import type { Logger } from 'pino';
import type { Db } from '../../db/database.ts';
import type { CredentialFailures } from './credential-failures.ts';
import type { UploadDeadlines } from './deadlines.ts';
import type { BodyGates } from './body-slots.ts';

export interface HttpDependencies {
  readonly db: Db;
  readonly logger: Logger;
  readonly credentialFailures: CredentialFailures;
  readonly uploadDeadlines: UploadDeadlines;
  /** Bodies that are taken in at once; more are 429 `rate_limited`. */
  readonly bodies: BodyGates;
}
