// Conversion of PostgreSQL's column types: the driver's defaults, except for sums and counts.
import pg from 'pg';

const { INT8, NUMERIC } = pg.types.builtins;

/**
 * The driver returns these types as text, because they may exceed the integers that a number holds
 * exactly. Ids, counts and sums of the service stay far below that, and a query with a larger value
 * fails.
 */
const parsers: Readonly<Record<number, (text: string) => number>> = {
  [INT8]: parseExact,
  // The type of sums over bigint and of seconds with fractions.
  [NUMERIC]: parseExact,
};

/** @throws RangeError for a value that a number cannot hold exactly, NaN and infinity included */
function parseExact(text: string): number {
  const value = Number(text);
  if (Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value;
  throw new RangeError(`${text} cannot be represented exactly: numbers are exact up to 2^53 - 1`);
}

/** Applies to the pool's connections only. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) ||
    pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
};
