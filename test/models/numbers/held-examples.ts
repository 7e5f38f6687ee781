// Sentences with spoken numbers and how they are written, by language: those
// that were written before the rules were first run, and not looked at while they were
// developed.

/** A line per sentence: `spoken = written`; a line without `=` does not change. */
export const held: Readonly<Record<string, string>> = {
  en: `
No one knows.
At first I was afraid.
Give me a hundred reasons.
There are sixty-four thousand reasons. = There are 64,000 reasons.
Three hundred and sixty-five days make a year. = 365 days make a year.
It happened in eighteen sixty five. = It happened in 1865.
In nineteen oh five he wrote it. = In 1905 he wrote it.
The meeting is on July fourth. = The meeting is on July 4th.
The meeting is on the third of June. = The meeting is on the 3rd of June.
Dial one eight hundred five five five one two one two. = Dial 1-800-555-1212.
Her number is two one two five five five zero one two three. = Her number is 212-555-0123.
Add twenty percent to the bill. = Add 20% to the bill.
I owe you ten dollars. = I owe you $10.
It is worth three point two billion dollars. = It is worth $3.2 billion.
Wake me at six fifteen am. = Wake me at 6:15 am.
It is eight o'clock. = It is 8 o'clock.
He finished in the hundredth place. = He finished in the 100th place.
I saw him once or twice, maybe three times.
Thirty-one days and nights = 31 days and nights
We need nineteen, twenty, and thirty-five chairs. = We need 19, 20, and 35 chairs.
Agent double oh seven reports. = Agent 007 reports.
The temperature fell to zero.
Zero point five is one half. = 0.5 is one half.
One day in May we walked.
It may first rain.
Two of the twenty-two players = Two of the 22 players
"Twenty," he said. = "20," he said.
On December twenty-fifth, two thousand twenty four = On December 25th, 2024
About five million people = About 5 million people
One thousand two hundred and thirty four steps = 1234 steps
Twelve thousand five hundred steps = 12,500 steps
He said to and for, not two and four.
Extension four two one = Extension 421`,
  es: `
No hay ninguno.
Son quinientos doce kilómetros. = Son 512 kilómetros.
El quince de agosto de dos mil veintitrés = El 15 de agosto de 2023
Pagué cuarenta y nueve euros. = Pagué 49 €.
Quedan un par de días.
Subió un tres por ciento. = Subió un 3 %.
Son las dos y treinta y cinco. = Son las 2:35.
La clave es cuatro cero siete nueve. = La clave es 4079.
Un millón de gracias
Tres mil doscientos cuarenta y un habitantes = 3241 habitantes
El tercero llegó primero.
Cien por cien seguro = 100 % seguro
Tengo dieciséis años. = Tengo 16 años.
Seiscientas personas y mil perros = 600 personas y mil perros
Uno, dos, tres, ya.
Cinco dólares = 5 $
Cero coma dos = 0,2
Setenta y siete mil ochocientos = 77.800
Marque nueve. = Marque 9.
El doce llegó el trece de junio. = El 12 llegó el 13 de junio.
Y dos o tres más`,
  fr: `
Un jour, une femme est venue.
Quatre-vingts ans = 80 ans
Quatre-vingt-un ans = 81 ans
Deux cent cinquante grammes = 250 grammes
Le quatorze juillet dix-sept cent quatre-vingt-neuf = Le 14 juillet 1789
Dix-sept pour cent = 17 %
Cent pour cent = 100 %
Nonante-neuf francs = 99 francs
Trente-deux mille cinq cents euros = 32 500 €
Le vingt décembre deux mille vingt-quatre = Le 20 décembre 2024
À dix-huit heures quinze = À 18 h 15
Il est neuf heures.
Un neuf et un ancien
Il a douze ans et elle en a treize. = Il a 12 ans et elle en a 13.
Entre neuf et onze personnes = Entre 9 et 11 personnes
Zéro virgule cinq = 0,5
Un dixième des gens
Le code est quatre sept zéro neuf. = Le code est 4709.
Premier arrivé, premier servi
Un million de dollars
Soixante-dix ans = 70 ans`,
  de: `
Einer von ihnen kam zuerst.
Am einundzwanzigsten Juni zweitausenddreiundzwanzig = Am 21. Juni 2023
Das sind siebenundsiebzig Euro. = Das sind 77 €.
Zwölf Uhr fünfzehn = 12:15 Uhr
Achtzig Prozent = 80 %
Null Komma zwei fünf = 0,25
Ein Prozent = 1 %
Eine Million Menschen
Drei Millionen Menschen = 3 Millionen Menschen
Hundert Leute kamen.
Einhundert Leute kamen. = 100 Leute kamen.
Vierundsechzigtausendfünfhundert = 64.500
Erstens, zweitens, drittens
Das zweite Mal
Mein zehnter Versuch = Mein 10. Versuch
Am siebten Oktober achtzehnhundertachtundvierzig = Am 7. Oktober 1848
Sechzehn Kinder und ein Hund = 16 Kinder und ein Hund
Sie achten auf uns.
Elf Freunde = 11 Freunde
Der Code ist vier sieben null neun. = Der Code ist 4709.
Und ein Zehntel davon`,
  it: `
Nessuno lo sa.
Trentatré trentini = 33 trentini
Il quindici agosto duemilaventitré = Il 15 agosto 2023
Sono quarantanove euro. = Sono 49 €.
L'ottantadue per cento = L'82%
Ottantadue per cento = 82%
Alle diciotto e quindici = Alle 18:15
Zero virgola cinque = 0,5
Un milione di persone
Sessantaquattromila = 64.000
Prima di tutto
Secondo me, è vero.
Sei sicuro? Sei tu?
Sei stato il dodicesimo. = Sei stato il 12º.
Mille e una notte
Undici amici = 11 amici
Il codice è quattro sette zero nove. = Il codice è 4709.
Cento per cento = 100%
Quattromilacinquecento metri = 4500 metri
Il sette giugno = Il 7 giugno
Uno, due, tre, via!`,
};
