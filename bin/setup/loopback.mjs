// Connections within this machine do not go through a proxy, whatever the environment says of those
// that leave it: clients of object storage, and of Temporal in tests, would ask one for 127.0.0.1.

const loopback = ['127.0.0.1', 'localhost', '::1'];
const proxies = ['http_proxy', 'https_proxy', 'all_proxy', 'grpc_proxy'];
/** Programs differ in which of them they read. */
const exceptions = ['no_proxy', 'NO_PROXY'];

/**
 * The variables that name hosts without a proxy, with this machine among them.
 * @param {Readonly<Record<string, string | undefined>>} environment
 * @returns {Readonly<Record<string, string>>} none where no proxy is set
 */
export function loopbackExceptions(environment) {
  const isSet = proxies.some((name) => environment[name] || environment[name.toUpperCase()]);
  if (!isSet) return {};
  const named = exceptions.flatMap((name) => (environment[name] ?? '').split(','));
  const hosts = [...new Set([...named.map((host) => host.trim()), ...loopback])];
  const value = hosts.filter((host) => host !== '').join(',');
  return Object.fromEntries(exceptions.map((name) => [name, value]));
}
