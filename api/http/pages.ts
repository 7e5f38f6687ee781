// A body that is kept whole: a buffer of its own for each chunk of a byte would be a hundred bytes.

export interface Pages {
  /** Copies a block. */
  add(block: Buffer): void;
  /** @returns all that was added, in its order; nothing may be added afterwards */
  take(): readonly Buffer[];
}

const firstBytes = 1_024;
const maxBytes = 65_536;

export function createPages(): Pages {
  const full: Buffer[] = [];
  let page = Buffer.alloc(0);
  let used = 0;

  return {
    add: (block) => {
      for (let at = 0; at < block.length;) {
        if (used === page.length) {
          if (used > 0) full.push(page);
          page = Buffer.allocUnsafe(Math.min(2 * used || firstBytes, maxBytes));
          used = 0;
        }
        const copied = block.copy(page, used, at);
        at += copied;
        used += copied;
      }
    },
    take: () => (used > 0 ? [...full, page.subarray(0, used)] : full),
  };
}
