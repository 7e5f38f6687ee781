// Connection URLs of PostgreSQL.

/**
 * A URL whose `sslmode` means what it means to libpq and other programs: `require` encrypts without
 * verifying the certificate, `verify-full` verifies the host name as well. By default the driver
 * treats `require` like `verify-full`.
 */
export function connectionString(url: string): string {
  if (!/[?&]sslmode=/.test(url) || /[?&]uselibpqcompat=/.test(url)) return url;
  return `${url}&uselibpqcompat=true`;
}
