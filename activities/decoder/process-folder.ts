// The folder of all recordings that a process has on disk. What a killed process leaves there is
// removed by the next one that starts on the same disk.
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { basename, join } from 'node:path';

/** What nobody else removes: it is being made, or its file system has no sockets. */
const unguarded = 'svc-starting-';
const guarded = 'svc-process-';
/**
 * The kernel closes this socket with the process that listens. A process id would not do: it is
 * given to others, and every container has a process 1. Programs that clean temporary folders
 * leave a socket with a listener, and with it the folder.
 */
const socketName = 'alive';

export interface ProcessFolder {
  readonly path: string;
  /** Removes it. */
  close(): Promise<void>;
}

/** Is told of a folder that cannot be removed, or not be guarded. */
export type OnTrouble = (error: unknown, folder: string) => void;

/** Removes the folders of processes that are gone, and makes one for this process. */
export async function openProcessFolder(
  parent: string,
  onTrouble: OnTrouble,
): Promise<ProcessFolder> {
  // First, because a disk that is full may be full of them.
  await removeOrphans(parent, onTrouble);
  const made = await mkdtemp(join(parent, unguarded));
  // Decoders that run as users of their own have their folders in it.
  await chmod(made, 0o711);
  const handle = await open(made);
  const socket = await listen(socketIn(made, handle)).catch((error: unknown) => {
    onTrouble(error, made);
    return null;
  });
  const path = socket ? join(parent, basename(made).replace(unguarded, guarded)) : made;
  await rename(made, path);
  return {
    path,
    close: async () => {
      socket?.close();
      await handle.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

/** Runs with a new folder in `parent`, which is removed at the end. */
export async function withFolder<T>(
  parent: string,
  run: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(parent, 'svc-'));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeOrphans(parent: string, onTrouble: OnTrouble): Promise<void> {
  const entries = await readdir(parent, { withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name.startsWith(guarded));
  for (const { name } of folders) {
    const folder = join(parent, name);
    await removeIfOrphan(folder).catch((error: unknown) => onTrouble(error, folder));
  }
}

async function removeIfOrphan(folder: string): Promise<void> {
  if (await isInUse(folder)) return;
  // Another process may be removing it too.
  await rm(folder, { recursive: true, force: true, maxRetries: 2 });
}

/** Whatever is no proof that nobody listens counts as in use: another user's, a full queue. */
async function isInUse(folder: string): Promise<boolean> {
  const handle = await open(folder).catch(() => null);
  if (!handle) return true;
  try {
    const code = await connectTo(socketIn(folder, handle));
    return code !== 'ECONNREFUSED' && code !== 'ENOENT';
  } finally {
    await handle.close();
  }
}

/** The address of a socket may have 107 bytes, and the path of a folder more. */
function socketIn(folder: string, { fd }: FileHandle): string {
  const short = `/proc/self/fd/${fd}`;
  return join(existsSync(short) ? short : folder, socketName);
}

function listen(address: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).destroy());
    server.once('error', reject).listen(address, () => {
      // Nothing waits for those who ask.
      server.unref();
      resolve(server);
    });
  });
}

/** @returns the code of the failure; null when there is a listener */
function connectTo(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect(address, () => resolve(null));
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
    socket.once('connect', () => socket.destroy());
  });
}
