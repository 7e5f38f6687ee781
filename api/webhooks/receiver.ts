// The address of a webhook's receiver, as a caller registers it.
import { ServiceError } from '../../models/contract/errors.ts';
import { addressesOf, mayCall } from '../egress/guard.ts';
import type { Networks } from '../http/networks.ts';

export const maxUrlLength = 2_048;

/**
 * Validates the receiver of a webhook: https without credentials, or http into an allowed network.
 * @throws ServiceError invalid_field
 */
export async function parseReceiver(text: string, networks: Networks, param: string): Promise<URL> {
  const invalidReceiver = (reason: string): ServiceError =>
    new ServiceError('invalid_field', `\`${param}\` ${reason}.`, { param });
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || text.length > maxUrlLength) throw invalidReceiver('must be an absolute https URL');
  if (url.username !== '' || url.password !== '')
    throw invalidReceiver('must not contain a user name or password');
  if (!['https:', 'http:'].includes(url.protocol)) throw invalidReceiver('must be an https URL');
  const addresses = await addressesOf(url, networks).catch(() => {
    throw invalidReceiver(`names a host that cannot be resolved: ${url.hostname}`);
  });
  if (!addresses.every((address) => mayCall(address, networks))) {
    const setting = 'SVC_WEBHOOK_NETWORKS does not allow it';
    throw invalidReceiver(`names a host that is not on the public internet, and ${setting}`);
  }
  const isPublic = addresses.every((address) => mayCall(address, []));
  if (url.protocol === 'http:' && isPublic) throw invalidReceiver('must be an https URL');
  return url;
}

/** @param param names the receiver, to which nothing could be signed */
export function noWebhookSecret(param: string): ServiceError {
  const message =
    'The organization has no webhook secret; create it first with POST /v1/webhooks/secret.';
  return new ServiceError('invalid_field', message, { param });
}
