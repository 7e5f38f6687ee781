// British pronunciations that the CMU dictionary, which is American, lacks.

/** ARPAbet without stress; a word with several has a line for each. */
const variants = `
advertisement AH D V ER T AH S M AH N T
agile AE JH AY L
aluminium AE L Y UW M IH N IY AH M
ate EH T
ballet B AE L EY
banana B AH N AA N AH
been B IY N
brochure B R OW SH ER
clerk K L AA K
controversy K AH N T R AA V ER S IY
data D AA T AH
dictionary D IH K SH AH N R IY
dynasty D IH N AH S T IY
figure F IH G ER
fragile F R AE JH AY L
futile F Y UW T AY L
garage G AE R AA ZH
garage G AE R IH JH
laboratory L AH B AO R AH T R IY
library L AY B R IY
lieutenant L EH F T EH N AH N T
medicine M EH D S AH N
military M IH L AH T R IY
missile M IH S AY L
mobile M OW B AY L
necessary N EH S AH S R IY
organisation AO G AH N AY Z EY SH AH N
organization AO G AH N AY Z EY SH AH N
patent P EY T AH N T
privacy P R IH V AH S IY
process P R OW S EH S
schedule SH EH D Y UW L
schedule SH EH JH UW L
schedules SH EH D Y UW L Z
schedules SH EH JH UW L Z
secretary S EH K R AH T R IY
shone SH AA N
vitamin V IH T AH M AH N
vitamins V IH T AH M AH N Z
yoghurt Y AA G ER T
z Z EH D
zebra Z EH B R AH
`;

/** Words whose last "a" is that of "father", as in "bath" (Wells 1982). */
const bathWords = new Set(
  [
    ...['advance advantage after afternoon afterwards answer ask asked asking aunt basket bath'],
    ...["branch broadcast calf can't cast castle chance class classes command craft dance dancing"],
    ...[
      'demand disaster draft example fast faster france giraffe glance glass glasses graph grant',
    ],
    ...[
      'grass half last laugh laughed mask master nasty pass passed passport past path photograph',
    ],
    ...['plant plants rather sample staff task vast'],
  ].flatMap((words) => words.split(' ')),
);

const byWord = Map.groupBy(
  variants
    .trim()
    .split('\n')
    .map((line) => ({ word: line.split(' ', 1)[0]!, phones: line.slice(line.indexOf(' ') + 1) })),
  ({ word }) => word,
);

/** @param american the pronunciations of the dictionary, without stress */
export function britishPhones(word: string, american: readonly string[]): readonly string[] {
  const own = byWord.get(word)?.map(({ phones }) => phones) ?? [];
  const broad = bathWords.has(word)
    ? american.map((phones) => phones.replace(/\bAE\b(?!.*\bAE\b)/, 'AA'))
    : [];
  return [...own, ...broad];
}
