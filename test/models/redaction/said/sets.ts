// The sets of all languages.
import { dutch } from './dutch.ts';
import { english } from './english.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import type { Said } from './said.ts';
import { spanish } from './spanish.ts';

export const sets: readonly Said[] = [
  ...[english, german, spanish, french, italian, dutch, portuguese, russian],
];
