// Hours with minutes, and what sounds like them: telephone numbers, prices and addresses.
import test from 'ava';
import { formatNumbers } from '../../../models/numbers/format-numbers.ts';

const written: readonly (readonly [string, string, string?])[] = [
  [
    'You can reach me at six twelve, five five five, one two one two.',
    'You can reach me at 612-555-1212.',
  ],
  ['call me back at three ten five five five two six seven one', 'call me back at 310-555-2671'],
  [
    'You can call me at nine fifteen, five five five, one two three four',
    'You can call me at 915-555-1234',
  ],
  ["It's two twelve, eight six seven, five three oh nine.", "It's 212-867-5309."],
  ["It's nine fifty each.", "It's nine fifty each."],
  ["It's ten fifty per person.", "It's ten fifty per person."],
  ["It's twelve fifty plus tax", "It's twelve fifty plus tax"],
  ["it's twelve fifty an hour", "it's twelve fifty an hour"],
  ["It's six fifty a pound", "It's six fifty a pound"],
  ['At nine thirty a man came.', 'At 9:30 a man came.'],
  ["It's nine fifty and we are late.", "It's 9:50 and we are late."],
  ['I live at twelve thirty four Main Street.', 'I live at twelve thirty four Main Street.'],
  ['I live at ten forty Elm Street', 'I live at ten forty Elm Street'],
  ['Come at ten forty Monday.', 'Come at 10:40 Monday.'],
  ["It's one thirty over eighty", "It's one thirty over 80"],
  ['from nine thirty to five thirty', 'from 9:30 to 5:30'],
  ['at nine thirty or ten thirty', 'at 9:30 or 10:30'],
  ['ten or eleven hundred dollars', 'ten or eleven hundred dollars'],
  ['vingt-quatre heures trente minutes', '24 heures 30 minutes', 'fr'],
  ['un appareil neuf pour cent euros', 'un appareil neuf pour 100 €', 'fr'],
];

test('hours with minutes are no telephone numbers, prices, addresses or durations', (t) => {
  for (const [spoken, expected, code = 'en'] of written)
    t.is(formatNumbers(spoken.split(' '), code), expected);
});
