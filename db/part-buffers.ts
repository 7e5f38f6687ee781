// The memory of uploads to storage: parts in buffers, of which there are so many and no more.

export interface PartBufferLimits {
  /** Of each buffer. */
  readonly partBytes: number;
  /** Buffers that uploads have beside their first, together. */
  readonly maxExtra: number;
}

export interface PartBuffers {
  readonly partBytes: number;
  open(): UploadBuffers;
}

/** What one upload holds. */
export interface UploadBuffers {
  /**
   * The first is there at once, so that a slow peer waits for nobody; another comes when one of the
   * extra buffers is free, or when this upload holds none any more.
   */
  acquire(): Promise<Buffer>;
  /** @param reusable false where a request that failed may still be reading it */
  release(buffer: Buffer, reusable: boolean): void;
  /** Gives back the count of all that is left; the buffers themselves are not used again. */
  close(): void;
}

/** Buffers are kept: fresh ones cost a page fault per 4 KiB, a third of an upload's time. */
const maxFree = 8;

interface Holder {
  held: number;
}

interface Waiter {
  readonly holder: Holder;
  readonly granted: () => void;
}

/**
 * Extra buffers are taken while storage works on the others, and free when it has: nobody can hold
 * them by sending slowly, and no upload waits for one while another waits for it.
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
