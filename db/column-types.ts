// How column types of PostgreSQL become values: the driver's own choice, but for sums and counts.
import pg from 'pg';

const { INT8, NUMERIC } = pg.types.builtins;

/**
 * What the driver would hand out as text, because it may be larger than a number holds exactly:
 * ids, counts and sums of the service stay far below that, and one that does not fails its query.
 */
const parsers: Readonly<Record<number, (text: string) => number>> = {
  [INT8]: parseExact,
  // The type of sums over bigints and of seconds with fractions.
  [NUMERIC]: parseExact,
};

/** @throws RangeError beyond the numbers that are exact, NaN and infinity included */
function parseExact(text: string): number {
  const value = Number(text);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new RangeError(`${text} cannot be kept exactly: a number holds at most 2^53 - 1`);
}

/** For the pool's connections; nothing of the process's other connections is changed. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
