// The rule for request ids: 1 to 128 visible ASCII characters.

const maxLength = 128;
const visible = '[\\x21-\\x7e]';

export const requestIdPattern = new RegExp(`^${visible}{1,${maxLength}}$`);
/** For headers, where an empty value counts as absent. */
export const requestIdOrEmptyPattern = new RegExp(`^${visible}{0,${maxLength}}$`);
const visiblePattern = new RegExp(`^${visible}$`);

export function isRequestId(given: unknown): given is string {
  return typeof given === 'string' && requestIdPattern.test(given);
}

/** The error message for an id that `isRequestId` rejects. @param name of the header */
export function requestIdError(name: string, given: string): string {
  const allowed = `${name} takes 1 to ${maxLength} visible ASCII characters`;
  if (given.length > maxLength) return `${allowed}, got ${given.length}.`;
  const characters = Array.from(given);
  const at = characters.findIndex((character) => !visiblePattern.test(character));
  if (at < 0) return `${allowed}, got none.`;
  const code = characters[at]!.codePointAt(0)!;
  const which = code === 0x20 ? 'a space' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return `${allowed}; character ${at + 1} is ${which}.`;
}
