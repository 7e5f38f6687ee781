// Sentences of one language, with what is to be hidden in them marked, and others whose numbers
// are nobody's. One half was there when the rules were written; the other was looked at once.
export interface Said {
  readonly language: string;
  /** One sentence a line: `my card is card<4111 1111 1111 1111>`. */
  readonly hidden: Halves;
  readonly harmless: Halves;
}

interface Halves {
  readonly known: string;
  readonly setAside: string;
}
