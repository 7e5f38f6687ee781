// Why a process cannot listen, with the variables that say where.

interface ListenError extends Error {
  readonly code?: string;
  readonly syscall?: string;
}

interface Place {
  readonly host: string;
  readonly port: number;
  /** Variables of host and port. */
  readonly variables: readonly [string, string];
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has the port',
  EADDRNOTAVAIL: 'this machine does not have the address',
  EACCES: 'this user may not use the port',
  ENOTFOUND: 'the address is not known',
  EAI_AGAIN: 'the address is not known',
};

/** Rethrows what prevented listening by the names of the settings, and all else as it is. */
export function cannotListen({ host, port, variables }: Place): (error: unknown) => never {
  return (error) => {
    const { code = '', syscall = '', message } = error as ListenError;
    if (!['listen', 'bind', 'getaddrinfo'].includes(syscall)) throw error;
    const [hostName, portName] = variables;
    const where = `${hostName}=${host}, ${portName}=${port}`;
    throw new Error(`cannot listen at ${where}: ${reasons[code] ?? message}`, { cause: error });
  };
}
