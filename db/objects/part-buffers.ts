// A bounded set of part buffers, which limits the memory of uploads to storage.

export interface PartBufferLimits {
  /** Size of each buffer. */
  readonly partBytes: number;
  /** Buffers that all uploads together may hold beyond one each. */
  readonly maxExtra: number;
}

export interface PartBuffers {
  readonly partBytes: number;
  open(): UploadBuffers;
}

/** The buffers of one upload. */
export interface UploadBuffers {
  /**
   * The first buffer is available at once, so that slow uploads delay no others; another one when
   * an extra buffer is free, or when this upload holds none.
   */
  acquire(): Promise<Buffer>;
  /** @param reusable false when a failed request may still be reading it */
  release(buffer: Buffer, reusable: boolean): void;
  /** Releases all buffers of the upload; they are not reused. */
  close(): void;
}

/**
 * Buffers are kept for reuse, because new ones cost a page fault per 4 KiB: a third of an upload's
 * time.
 */
const maxFree = 8;

interface Holder {
  held: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly granted: () => void;
}

/**
 * An extra buffer is held only while storage works on the others, so a slow sender cannot hold one,
 * and uploads never wait for each other in a circle.
 */
export function createPartBuffers({ partBytes, maxExtra }: PartBufferLimits): PartBuffers {
  const free: Buffer[] = [];
  const waiting = new Set<Waiter>();
  let extra = 0;

  const grant = (holder: Holder): boolean => {
    if (holder.held > 0 && extra >= maxExtra) return false;
    if (holder.held > 0) extra += 1;
    holder.held += 1;
    return true;
  };
  const drop = (holder: Holder, count: number): void => {
    const left = holder.held - count;
    extra -= Math.max(0, holder.held - 1) - Math.max(0, left - 1);
    holder.held = left;
    for (const waiter of waiting) {
      if (!grant(waiter.holder)) continue;
      waiting.delete(waiter);
      waiter.granted();
    }
  };

  return {
    partBytes,
    open: () => {
      const holder: Holder = { held: 0 };
      return {
        acquire: async () => {
          if (!grant(holder)) {
            await new Promise<void>((granted) => waiting.add({ holder, granted }));
          }
          return free.pop() ?? Buffer.allocUnsafeSlow(partBytes);
        },
        release: (buffer, reusable) => {
          if (reusable && free.length < maxFree) free.push(buffer);
          drop(holder, 1);
        },
        close: () => drop(holder, holder.held),
      };
    },
  };
}
