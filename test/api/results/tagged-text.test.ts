// `tagged_text` can be parsed back, whatever the text contains.
import test from 'ava';
import fc from 'fast-check';
import { taggedText } from '../../../api/results/tagged-text.ts';

/** A parser of the documented form. */
function parse(tagged: string): { readonly tags: readonly string[]; readonly text: string } {
  const [, tag = '', text = ''] = /^\[([^\]]*)\] ?(.*)$/su.exec(tagged) ?? [];
  return {
    tags: tag.split('|').map((part) => part.trim()),
    text: text.replaceAll(/\\(.)/gsu, '$1'),
  };
}

test('speaker, labels and text are parsed back', (t) => {
  const text = fc.string().map((value) => value.trim());
  fc.assert(
    fc.property(text, fc.option(fc.nat(9)), fc.boolean(), (value, speaker, styled) => {
      const segment = {
        start: 0,
        end: 1,
        text: value,
        words: [],
        speaker,
        emotions: [
          { label: 'happy', score: 0.9 },
          { label: 'proud', score: 0.8 },
        ],
        styles: styled ? [{ label: 'warm', score: 0.7 }] : [],
        logits: null,
      };
      const { tags, text: read } = parse(taggedText(segment));
      const labels = ['happy, proud', styled ? 'warm' : ''];
      t.deepEqual(tags, speaker === null ? labels : [`speaker_${speaker}`, ...labels]);
      t.is(read, value);
    }),
  );
});
