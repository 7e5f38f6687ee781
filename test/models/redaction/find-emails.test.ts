// E-mail addresses that are spelled, joined, half written, or pages and no addresses.
import test from 'ava';
import { marked } from './marked.ts';

const addresses: readonly (readonly [string, string])[] = [
  ['en', 'My email is email<jane dot doe at g m a i l dot com.>'],
  ['en', 'My email is email<jane dot doe at y a h o o dot com.>'],
  ['en', 'My email is email<jane dot doe at o u t l o o k dot com.>'],
  ['en', 'write to email<info at a b c dot com>'],
  ['es', 'mi correo es email<ana arroba g m a i l punto com>'],
  ['it', 'scriva ad email<anna chiocciola a r u b a punto it>'],
  ['fr', "mon mail c'est email<jean arobase l a p o s t e point net>"],
  ['fr', "mon adresse mail c'est email<jean tiret du bas dupont arobase gmail point com>"],
  ['fr', 'Écrivez à email<claire arobase f r e e point fr>'],
  ['es', 'email<juan guión bajo perez arroba gmail punto com>'],
  ['pt', 'meu e-mail é email<maria underline silva arroba uol ponto com ponto br>'],
  ['nl', 'schrijf email<piet streepje jansen apenstaartje ziggo punt nl>'],
  ['nl', 'mijn mail is email<S als Simon A als Anna apenstaartje ziggo punt nl>'],
  ['en', 'it is email<S like in sugar A like in apple at example dot com>'],
  ['en', 'My email is email<jane dot doe@gmail.com.>'],
  ['en', 'email<jane underscore doe@gmail.com> please'],
  ['es', 'email<ana punto garcia@gmail.com>'],
  ['en', 'My email is email<jane dot doe@gmail dot com.>'],
  ['de', 'meine Adresse ist email<max punkt mustermann@gmx punkt de>'],
  ['en', 'My email is email<jane.doe@ gmail.com>'],
  ['en', 'My email is email<jane.doe @ gmail.com>'],
  ['en', 'email<bob at example dot tech>'],
  ['en', 'email<bob at example dot museum>'],
  ['en', 'send it to email<bob at example dot co dot nz> today'],
  ['en', 'my email is email<bob at the company dot com>'],
  ['en', 'in 2019 email<doe@example.com> wrote'],
  ['en', 'my email is email<look at example dot com>'],
  ['en', 'my email is email<a n a at example dot com>'],
  ['en', 'it is email<m a r i a at gmail dot com>'],
  ['en', 'my address is email<jane doe at example dot com>'],
  ['en', 'write to email<jane dot shop at example dot com>'],
  ['en', 'write to email<j d o e@gmail.com>'],
  ['en', 'ask email<j@example.com>'],
  ['en', 'a note b for email<mike at acme dot org>'],
  ['en', 'email<bob at example dot com> then dot net came'],
  ['en', 'email<bob at big red old new hot cold dot com>'],
  ['en', 'it is email<sara with an h at gmail dot com>'],
  ['en', 'the one with a car, email<sara at gmail dot com>'],
  ['it', 'la mia email è email<m a r i a chiocciola gmail punto com>'],
  ['es', 'email<juan guión bajo perez@gmail.com>'],
  ['it', 'email<anna trattino basso rossi@libero.it>'],
  ['nl', 'email<piet liggend streepje jansen@ziggo.nl>'],
  ['fr', 'email<jean tiret du bas dupont@orange.fr>'],
  ['en', 'email<ann@example.com> email<bob@example.com>'],
  ['en', 'email<bob at example dot com> email<ann at example dot org>'],
  ['en', 'email<ann@example.com> at work dot com'],
  ['en', 'email her at email<kate dot o dot hara at proton mail dot com>'],
  ['en', 'my email is email<a dot b at gmail dot com>'],
  ['en', 'write to email<order at example dot com>'],
  ['en', 'write to email<so and so at gmail dot com> please'],
  ['en', 'and email<so and so at example dot org>'],
  ['de', 'schreiben Sie an email<so und so at web punkt de>'],
  ['en', 'my email is email<mike and ike at gmail dot com>'],
  ['en', 'my address is email<me and you at gmail dot com>'],
  ['en', 'my email is email<so and so at example dot com>'],
  ['en', 'my mail is email<quentin.barloatexample.com> okay'],
  ['de', 'meine Adresse ist email<annaatbeispiel.de>'],
  ['en', 'Please write to email<k.jonesatmail.org,> that is best'],
  ['de', 'schreiben Sie an email<annaatbeispiel.de>'],
];

test('addresses are found however their parts are said and written', (t) => {
  for (const [language, expected] of addresses)
    t.is(marked(expected.replaceAll(/email<|>/g, ''), { language }), expected);
});

test('pages that somebody looks at are no addresses', (t) => {
  for (const text of [
    'look at amazon dot com',
    'I looked at booking dot com yesterday',
    'I bought it at target dot com',
    'you can order at shop dot com',
    'you order at shop dot com',
    'bob at big red old new hot cold wet dry dark dot com',
    'follow us @example today',
    'meet at the office dot',
    'go to status.data.gov and write a letter to them',
    'the page is data.gov and my bank is national.example.com',
    'this and that at the office dot',
  ])
    t.is(marked(text), text);
});
