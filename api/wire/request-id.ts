// What a caller may name a request.

export const maxLength = 128;

/** 1 to 128 visible ASCII characters. */
export function isRequestId(given: unknown): given is string {
  return typeof given === 'string' && given.length <= maxLength && /^[\x21-\x7e]+$/.test(given);
}
