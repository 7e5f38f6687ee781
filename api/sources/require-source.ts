// Validates the address of a recording when it is named; the worker checks where it leads.
import { ServiceError } from '../../models/contract/errors.ts';
import { parseSource } from '../../models/contract/source.ts';
import { literalAddress, mayCall } from '../egress/guard.ts';
import type { Networks } from '../http/networks.ts';

/**
 * No name is resolved, because a batch may have ten thousand.
 * @throws ServiceError invalid_field, source_refused
 */
export function requireSource(text: string, networks: Networks, param: string): URL {
  const parsed = parseSource(text, networks.length > 0);
  if (parsed.kind === 'invalid') {
    throw new ServiceError('invalid_field', `\`${param}\` ${parsed.reason}.`, { param });
  }
  const literal = literalAddress(parsed.url);
  if (literal !== null && !mayCall(literal, networks)) {
    const setting = 'SVC_SOURCE_NETWORKS does not allow it';
    const message = `\`${param}\` is not on the public internet, and ${setting}.`;
    throw new ServiceError('source_refused', message, { param });
  }
  return parsed.url;
}
