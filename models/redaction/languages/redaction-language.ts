// What redaction needs to know of a language. Words are in lower case, without marks; lists have
// blanks between them, patterns are alternatives of regular expressions over words.

/** What announces the number of a person. */
export type Announcement = 'card' | 'securityCode' | 'account' | 'phone';

export interface RedactionLanguage {
  /** ISO 639-1. */
  readonly code: string;
  /** List: frequent words, by which a text is known to be in the language. */
  readonly common: string;
  /**
   * Patterns that announce a number. A word that is also another one is none after or before what
   * shows that: "il compte", "à la carte".
   */
  readonly announcements: Readonly<Record<Announcement, string>>;
  /** List: announcements of other languages that mean something else in this one. */
  readonly homographs: string;
  /** Pattern: telephones; they announce a number as well, but not that of the thing itself. */
  readonly devices: string;
  readonly endings: EndingWords;
  readonly others: OtherWords;
  readonly amounts: AmountWords;
  /** List: said between groups of digits without ending them. */
  readonly fillers: string;
  /** List: the same, where the language is surely this one. */
  readonly ownFillers?: string;
  /** List: said where somebody interrupts a number. */
  readonly hesitations: string;
  /** List: signs before the code of a country. */
  readonly plusSigns: string;
  /** Patterns between two announcements: of the first one, or of both. */
  readonly links: string;
  readonly joins: string;
  readonly addresses: AddressWords;
  /** Phrases, with commas between them: "A as in apple". */
  readonly spellingLinks: string;
}

/** Patterns for the last digits of a number: "ending in 4242". */
export interface EndingWords {
  /** Where the digits follow directly. */
  readonly ends: string;
  readonly endsIn: string;
  /** How many last digits are asked for or told: "last four digits". */
  readonly lastFour: string;
  /** "last" alone, before a count in digits. */
  readonly last: string;
}

/** Numbers of things rather than of people, and questions for them. */
export interface OtherWords {
  /** Patterns: what a thing has of its own; what else has a number or a day; the rest of these. */
  readonly ofThings: string;
  readonly things: string;
  readonly otherThings: string;
  /** Pattern: what else is asked for between two numbers of a person. */
  readonly asked: string;
  /** List: makes a question of what is asked for. */
  readonly pleases: string;
  /** Patterns: "order number that", "is". */
  readonly linking: string;
  readonly verbs: string;
  /** Patterns: "of", "my" before a device. */
  readonly ofDevice: string;
  readonly owners: string;
  /** Pattern: "it's", before what was asked for. */
  readonly answers: string;
}

/** Of digits that count something, or are of the calendar or the clock. */
export interface AmountWords {
  /** Pattern: what is counted, after a number that no telephone has. */
  readonly units: string;
  /** Pattern: what nothing but a count stands before, however long: "inhabitants". */
  readonly counted: string;
  /** Pattern: after numbers of three digits and fewer. */
  readonly times: string;
  /** Pattern. */
  readonly months: string;
  /** Pattern: between a day and its month. */
  readonly dayJoints: string;
  /** Lists. */
  readonly conjunctions: string;
  /** Said between the parts of a list besides. */
  readonly smallWords: string;
  readonly beforeTimes: string;
  readonly beforeRanges: string;
  /** Said before a year, and before no code. */
  readonly beforeYears: string;
}

/** Lists for addresses of e-mail. */
export interface AddressWords {
  readonly at: string;
  readonly dot: string;
  /** Said between the parts of a name, besides the dot. */
  readonly joiners: string;
  /** Phrases for one underscore, with commas between them. */
  readonly underscores: string;
  /** Nothing before them belongs to an address. */
  readonly stops: string;
  /** An address itself. */
  readonly nouns: string;
  /** Said right before one. */
  readonly announced: string;
  /** Pattern for "write", and the list for the "to" of "write to her". */
  readonly writes: string;
  readonly to: string;
  readonly conjunctions: string;
}
