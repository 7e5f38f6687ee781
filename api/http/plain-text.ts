// The schema of text that PostgreSQL can store and that logs can show.
import { isPlainText, plainTextRule } from '../../models/contract/plain-text.ts';

/**
 * Arguments of `refine` for such text. It is not a pattern of the schema, because generators of
 * test cases do not support Unicode properties.
 */
export const plainText = [isPlainText, plainTextRule] as const;
