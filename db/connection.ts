// How PostgreSQL's addresses are read.

/**
 * An address whose `sslmode` means what it means to libpq, and so to every other program that is
 * given it: `require` encrypts and looks at no certificate, `verify-full` at its name as well. By
 * itself the driver takes the first for the second.
 */
export function connectionString(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url;
  return `${url}&uselibpqcompat=true`;
}
