// Amounts, years and times beside words that announce numbers of people.
import test from 'ava';
import { marked } from './marked.ts';

const amounts: Readonly<Record<string, readonly string[]>> = {
  en: [
    'I see on your account charges of one hundred twenty five and two hundred fifty dollars.',
    'your account shows payments of 300, 450 and 200 euros',
    'on your account there are payments of 50, 75, 100 and 125 dollars',
    'on your account there are payments of $300 and $450',
    'my account was opened in 2015 and 2016 was good',
    'my cell phone plan covers 2023, 2024 and 2025',
    'the phone costs between 1200 and 1300 dollars',
    'my account was charged on the 12 and 13 and 14 of March',
    'I called on my phone at 10 30 and then 11 45 and 12 15',
    'we can reach 500 and 1000 customers per day',
    'we need to contact 1200000 people',
    'the phone was made in 2019 and 2020',
    'on my account I see transactions on March 12, 13, 14, and 15',
    'contact us between 2019 and 2021',
    'your account shows 1,250 and 2,300',
    'my account is 123,456',
    'revenue of 2,125,550,199 last year',
    'my account allows between 1250 and 3475',
    'my account was charged on the 12 and 13 and 14 and 15 of March',
    'the security code is good for 365 days',
    'the security code costs 12 50 euros',
    'on my account I paid €1234 567 yesterday',
  ],
  de: [
    'von Ihrem Konto wurden 125 und 250 Euro abgebucht',
    'das Handy kostet zwischen 1200 und 1300 Euro',
    'auf meinem Konto sind 123456 Euro',
  ],
  es: [
    'el móvil cuesta entre 1200 y 1300 euros',
    'el saldo de la cuenta es 123456 euros',
    'mi teléfono costó 300 en 2019',
  ],
  fr: [
    'sur votre compte il y a eu 125 et 250 euros',
    'le portable coûte entre 1200 et 1300 euros',
    'sur mon compte il y a 123 456 euros',
    'il y a 123 456 euros sur le compte, 12 500 euros de plus',
  ],
  it: ['sul suo conto ci sono 125 e 250 euro'],
  pt: ['na sua conta há 125 e 250 reais', 'na conta há R$ 125000 e R$ 2500'],
  nl: ['op uw rekening staat 125 en 250 euro'],
};

test('amounts, years, days and times stay where an account or a telephone was spoken of', (t) => {
  for (const [language, texts] of Object.entries(amounts))
    for (const text of texts) t.is(marked(text, { language }), text);
});

test('numbers stay hidden beside an amount, and in groups that an amount could have', (t) => {
  for (const [text, expected] of [
    ['my phone is 415 555 2671. 24 hours a day', 'my phone is phone<415 555 2671.> 24 hours a day'],
    [
      'my phone is 415 555 2671. okay one moment',
      'my phone is phone<415 555 2671.> okay one moment',
    ],
    ['my phone is 415 555 2671. 1200 dollars', 'my phone is phone<415 555 2671.> 1200 dollars'],
    ['my account is 125, 250 and 300', 'my account is account<125, 250 and 300>'],
    ['my phone is 415, 555, 2671', 'my phone is phone<415, 555, 2671>'],
    ['my phone is 612 345 678 days or evenings', 'my phone is phone<612 345 678> days or evenings'],
    ['account 1234 5678 and 20 dollars', 'account account<1234 5678> and 20 dollars'],
    ['4111 1111 1111 1111 dollars', 'card<4111 1111 1111 1111> dollars'],
    ['my account is 19 84, 20 20', 'my account is account<19 84, 20 20>'],
    ['my account is 12,345,678', 'my account is account<12,345,678>'],
    ['my account is 1,234,567', 'my account is account<1,234,567>'],
    ['call me at 5552671 people love it', 'call me at phone<5552671> people love it'],
    ['call 2125550100 people say', 'call phone<2125550100> people say'],
    ['cvv 4321 months ago', 'cvv card<4321> months ago'],
    ['cvv 123. Days later', 'cvv card<123.> Days later'],
    ['the cvv is 123 for that and 250 dollars', 'the cvv is card<123> for that and 250 dollars'],
    ['the cvv is 123 then 250 dollars', 'the cvv is card<123> then 250 dollars'],
    ['my account is 1250 and 3475', 'my account is account<1250 and 3475>'],
    ['my account is 2015 and 8475', 'my account is account<2015 and 8475>'],
    ['call me at 4155 and 552671', 'call me at phone<4155 and 552671>'],
    ['my account is 1130 and 1245', 'my account is account<1130 and 1245>'],
    ['my account is 12, 13, 14 and 15', 'my account is account<12, 13, 14 and 15>'],
    ['my account since March 445 and 8475', 'my account since March account<445 and 8475>'],
    ['my account is 123456, 78 and 20 dollars', 'my account is account<123456, 78> and 20 dollars'],
    ['account 1234 and 5678 and 30 days', 'account account<1234 and 5678> and 30 days'],
    [
      'my phone is 415, 555, 2671 and 20 dollars',
      'my phone is phone<415, 555, 2671> and 20 dollars',
    ],
    ['on +44, 20, 7946, 958 and 20 dollars', 'on phone<+44, 20, 7946, 958> and 20 dollars'],
    ['my card is 4,242 4,242 4,242 4,242', 'my card is card<4,242 4,242 4,242 4,242>'],
  ] as const)
    t.is(marked(text), expected);
});
