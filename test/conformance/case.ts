// A case: a sentence of the specification with a check of it, or the reason why it cannot be
// checked.
import type { Service } from './service.ts';

/** The specification, and the pages of extensions. */
export type Document =
  'interface.md' | 'contract.md' | 'live.md' | 'realtime.md' | 'bulk.md' | 'hume.md';

/** Keys that a case may need besides the main one, and what the main key's account must have. */
export type Need =
  | 'other' // of another organization
  | 'second' // of the same organization
  | 'empty' // without any allowance left
  | 'limited' // 6,000 seconds left
  | 'small' // 100 seconds left
  | 'minute' // 60 seconds left, and access to Resonance-2
  | 'rate' // one request per minute
  | 'full' // may keep no files
  | 'suspended'
  | 'trial' // not a paid plan
  | 'unapproved' // without access to Resonance-2, with 60 seconds left
  | 'resonance-2' // the main key has access to it
  | 'paid'; // the main key is of a paid plan

export interface Case {
  readonly section: string;
  readonly from: Document;
  /** As it is written in the document. */
  readonly sentence: string;
  readonly needs?: Need;
  /** @throws when the rule does not hold */
  readonly check: (service: Service) => Promise<void>;
}

export interface Untestable extends Pick<Case, 'section' | 'from' | 'sentence'> {
  readonly why: string;
}

export type Entry = Case | Untestable;

/** Makes the entries of a section. */
export function section(name: string, from: Document) {
  return {
    rule: (sentence: string, check: Case['check'], needs?: Need): Case => ({
      ...{ section: name, from, sentence, check },
      ...(needs && { needs }),
    }),
    untestable: (sentence: string, why: string): Untestable => ({
      ...{ section: name, from, sentence, why },
    }),
  };
}
