// What an activity writes to the log of its worker.
import type { MockActivityEnvironment } from '@temporalio/testing';

type Logger = NonNullable<
  NonNullable<ConstructorParameters<typeof MockActivityEnvironment>[1]>['logger']
>;

/** @param pattern of the messages that are kept; Temporal writes lines of its own as well */
export function logLines(pattern: RegExp) {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const keep = (level: string, message: string, fields?: object): void => {
    if (pattern.test(message)) lines.push({ level, message, ...fields });
  };
  const at = (level: string) => (message: string, fields?: object) => keep(level, message, fields);
  const logger: Logger = {
    log: keep,
    ...{ trace: at('trace'), debug: at('debug'), info: at('info') },
    ...{ warn: at('warn'), error: at('error') },
  };
  return { logger, lines };
}
