// Sentences of each language: what is hidden in them where their language is known, where another
// one is said, and in the middle of another one.
import test from 'ava';
import { findSensitive } from '../../../models/redaction/find-sensitive.ts';
import type { SpokenWord } from '../../../models/redaction/kinds.ts';
import { everything } from './marked.ts';
import { sets } from './said/sets.ts';

type Half = 'known' | 'setAside';

/** Polish stands for languages whose words are not known. */
const languages = [...sets.map(({ language }) => language), 'pl'];

type Beside = readonly [before: string, after: string];

const around: Readonly<Record<string, Beside>> = {
  en: [
    'well I think that we have to do it like this so',
    'and then you can tell me when it is done',
  ],
  de: [
    'ja ich glaube dass wir das so machen müssen und',
    'und dann können Sie mir sagen wann es geht',
  ],
  es: ['bueno yo creo que lo tenemos que hacer así y', 'y luego me puede decir cuando está hecho'],
  fr: [
    "bon je crois qu'il faut le faire comme ça et",
    "et puis vous pouvez me dire quand c'est fait",
  ],
  it: ['bene io credo che lo dobbiamo fare così e', 'e poi mi può dire quando è fatto'],
  nl: ['nou ik denk dat we het zo moeten doen en', 'en dan kunt u mij zeggen wanneer het kan'],
  pt: ['bem eu acho que temos que fazer isso assim e', 'e depois você pode me dizer quando é'],
  ru: [
    'ну я думаю что мы должны это так сделать и',
    'а потом вы можете мне сказать когда это будет',
  ],
};

/** Of a sentence with marks, how many words of the marked ones stay, and how many others go. */
function read(line: string, language: string, beside: Beside = ['', '']) {
  const [before, after] = beside;
  const secret = new Set<number>();
  let isSecret = false;
  const said = `${before} ${line} ${after}`.trim().split(' ');
  const words = said.map((marked, i): SpokenWord => {
    isSecret ||= /^[a-z]+</.test(marked);
    if (isSecret) secret.add(i);
    if (marked.endsWith('>')) isSecret = false;
    const word = marked.replaceAll(/^[a-z]+<|>$/g, '');
    return { word, start: i / 2, end: i / 2 + 0.4, speaker: 0, language };
  });
  const found = new Set(findSensitive(words, everything).flatMap((finding) => finding.words));
  return {
    count: secret.size,
    missed: secret.difference(found).size,
    others: found.difference(secret).size,
  };
}

const linesOf = (text: string): readonly string[] => text.trim().split('\n');

function rates(half: Half, languagesFor: (own: string) => readonly string[], isMixed = false) {
  let [count, missed, others, hidden, harmless] = [0, 0, 0, 0, 0];
  for (const set of sets) {
    for (const language of languagesFor(set.language)) {
      const beside = isMixed ? around[language] : undefined;
      for (const line of linesOf(set.hidden[half])) {
        const found = read(line, language, beside);
        count += found.count;
        missed += found.missed;
        others += found.others;
      }
      for (const line of linesOf(set.harmless[half])) {
        harmless += 1;
        if (read(line, language, beside).others > 0) hidden += 1;
      }
    }
  }
  return {
    recall: 1 - missed / count,
    precision: (count - missed) / (count - missed + others),
    falseHides: hidden / harmless,
    text: `${missed} of ${count} words missed, ${others} others, ${hidden} of ${harmless} hidden`,
  };
}

const bounds: Readonly<Record<Half, { readonly recall: number; readonly falseHides: number }>> = {
  known: { recall: 1, falseHides: 0.05 },
  setAside: { recall: 1, falseHides: 0.1 },
};

for (const half of ['known', 'setAside'] as const) {
  test(`each language, ${half}: numbers of people are hidden, and few others`, (t) => {
    const { recall, precision, falseHides, text } = rates(half, (own) => [own]);
    t.log(text);
    t.true(recall >= bounds[half].recall);
    t.true(precision > 0.99);
    t.true(falseHides <= bounds[half].falseHides);
  });

  test(`each language, ${half}: they are hidden where another one is said to be spoken`, (t) => {
    const { recall, falseHides, text } = rates(half, (own) =>
      languages.filter((each) => each !== own),
    );
    t.log(text);
    t.true(recall > 0.9);
    t.true(falseHides < 0.15);
  });

  test(`each language, ${half}: they are hidden in the middle of another one`, (t) => {
    const { recall, falseHides, text } = rates(half, () => Object.keys(around), true);
    t.log(text);
    t.true(recall > 0.9);
    t.true(falseHides < 0.15);
  });
}
