// Sentences with spoken numbers and how they are written, by language: those
// that the rules were developed with.

/** A line per sentence: `spoken = written`; a line without `=` does not change. */
export const developed: Readonly<Record<string, string>> = {
  en: `
I have twenty-five apples and one of them is bad. = I have 25 apples and one of them is bad.
Wait a second, please.
The first one came second.
He was born in nineteen ninety nine. = He was born in 1999.
We met on May fifth, twenty twenty. = We met on May 5th, 2020.
On the twenty first of March it rained. = On the 21st of March it rained.
It costs five dollars and fifty cents. = It costs $5.50.
About two million dollars were lost. = About $2 million were lost.
Call five five five, one two three four. = Call 555-1234.
My number is eight hundred five five five oh one nine nine. = My number is 800-555-0199.
Interest rose to three point five percent. = Interest rose to 3.5%.
Nearly one hundred and twenty thousand people came. = Nearly 120,000 people came.
See you at ten thirty. = See you at 10:30.
The train leaves at seven forty-five p.m. = The train leaves at 7:45 p.m.
You may go if two or three people agree.
The code is four seven oh nine. = The code is 4709.
One, two, three, go!
Testing, one two three.
A million thanks to all.
In June two people left.
In June the first results came.
The meeting is on June second. = The meeting is on June 2nd.
For more options, press one. = For more options, press 1.
Please turn to page seven. = Please turn to page 7.
It was the twelfth time. = It was the 12th time.
A tenth of them left.
Between five and ten people = Between 5 and 10 people
She is forty. = She is 40.
Version two point zero is out. = Version 2.0 is out.
He paid a hundred dollars. = He paid $100.
It cost one thousand two hundred dollars in nineteen ten. = It cost $1,200 in 1910.
In two thousand and five we moved. = In 2005 we moved.
Only 25 percent agreed. = Only 25% agreed.
The seven eleven is closed.
I gave one hundred percent. = I gave 100%.
You can march three miles in May.
Two thirds of one half
Call five, five, five, one two three four, please. = Call 555-1234, please.
My number is five, five, five, one, two, three, four. = My number is 555-1234.
The card is 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2, 4, 2. = The card is 4242424242424242.
My PIN is four, two, four, two. = My PIN is 4242.
The last digits are 4, 2, 4, 2. Two are wrong. = The last digits are 4242. Two are wrong.
The code is 4 2 4, double two. = The code is 42422.
We scored five, three, eight, two.
One, two, three, four, five, six, seven, eight!
We had two, three, two, one, four, three, two and five guests.
Chapters 4, 2, 4, 2 and the code are missing.
The code is four seven oh nine, two of you know it. = The code is 4709, two of you know it.
The code is lost. Take 4, 2, 4, 2.
It costs twelve dollars ninety five a month. = It costs $12.95 a month.
That is two euros fifty per person. = That is €2.50 per person.
Eighteen dollars fifty for adults = $18.50 for adults
A dollar fifty each = $1.50 each
Three dollars fifty and a coffee = $3.50 and a coffee
Three dollars fifty to five dollars = $3.50 to $5
Five dollars twenty people
A dollar twenty people
Five dollars twenty to thirty people = Five dollars twenty to 30 people
They paid twenty dollars one time. = They paid $20 one time.
Ten dollars ninety percent = $10 90%
Wait for another twenty-second pause.
The thirty second timer
The thirty second of May
The twenty second of May = The 22nd of May
He lives on forty second street. = He lives on 42nd street.
She was born on May twenty second. = She was born on May 22nd.
We came in twenty second. = We came in 22nd.
It is five to ten dollars. = It is $5 to $10.
Two or three dollars = $2 or $3
One or two dollars
This one and ten dollars = This one and $10
Page five and ten dollars = Page 5 and $10
Two to three million dollars = $2 to $3 million
One million to two million dollars = $1 million to $2 million
A million to two million dollars
A hundred to two hundred dollars = $100 to $200
Two or three percent = 2 or 3%
Two or three pounds = 2 or 3 pounds
We work nine to five p.m. = We work 9 to 5 p.m.
We work nine to five thirty.
It is ten to four.
It is ten to four thirty.
The nineteen eighties and nineties
The seventeen hundreds
Around ten fifteen people
Ten fifteen people came.
At ten fifteen this morning = At 10:15 this morning
Hundred and fifty people
Couple hundred and fifty dollars`,
  es: `
Tengo treinta y cinco libros y uno de ellos es nuevo. = Tengo 35 libros y uno de ellos es nuevo.
Un momento, por favor.
Espera un segundo.
Nació el cinco de mayo de mil novecientos noventa y nueve. = Nació el 5 de mayo de 1999.
El primero de enero es fiesta. = El 1 de enero es fiesta.
Cuesta veinte euros con cincuenta céntimos. = Cuesta 20,50 €.
El diez por ciento votó. = El 10 % votó.
Mide dos coma cinco metros. = Mide 2,5 metros.
Llámame al seis uno dos tres cuatro cinco seis siete ocho. = Llámame al 612 34 56 78.
Nos vemos a las ocho y veinte. = Nos vemos a las 8:20.
Dos mil millones de personas = 2000 millones de personas
Vinieron ciento veinte mil personas. = Vinieron 120.000 personas.
Mil gracias a todos.
Una de las tres puertas
Hay veintiuna sillas. = Hay 21 sillas.
Pulse uno para ventas. = Pulse 1 para ventas.
En la página siete = En la página 7
Entre cinco y diez personas = Entre 5 y 10 personas
Es el vigésimo aniversario. = Es el 20.º aniversario.
Segundo, no es verdad.
Ganó tres millones de euros. = Ganó 3 millones de euros.
A las diez y cuarto llegaron diez. = A las diez y cuarto llegaron 10.
Mi clave es cuatro, dos, cuatro, dos. = Mi clave es 4242.
Llámame al seis, uno, dos, tres, cuatro, cinco, seis, siete, ocho. = Llámame al 612 34 56 78.
Sacaron cuatro, dos, cuatro, dos.
Tres euros cincuenta por persona = 3,50 € por persona
Tres euros con cincuenta al mes = 3,50 € al mes
Un euro cincuenta = 1,50 €
Tres euros y cincuenta personas
Cinco euros veinte por ciento = 5 € 20 %
Dos o tres euros = 2 o 3 €
A las tres menos veinte
A las diez menos cuarto
A las diez y cinco
Eran veinte primero. = Eran 20 primero.`,
  fr: `
J'ai vingt-cinq livres et un d'entre eux est neuf. = J'ai 25 livres et un d'entre eux est neuf.
Attendez une seconde.
Quatre-vingt-dix-sept euros = 97 €
Soixante-douze pour cent des gens = 72 % des gens
Le cinq mai deux mille vingt = Le 5 mai 2020
Le premier mai est férié. = Le 1er mai est férié.
Zéro six douze trente-quatre cinquante-six soixante-dix-huit = 06 12 34 56 78
Il est né en mille neuf cent quatre-vingt-dix-neuf. = Il est né en 1999.
Trois virgule cinq mètres = 3,5 mètres
Rendez-vous à huit heures trente. = Rendez-vous à 8 h 30.
Il y a deux ou trois personnes.
Mille mercis à tous.
Vingt et un jours = 21 jours
Soixante et onze pages = 71 pages
Cent vingt mille habitants = 120 000 habitants
Cinq euros cinquante = 5,50 €
La vingt-et-unième fois = La 21e fois
Tapez un. = Tapez un.
Tapez deux. = Tapez 2.
C'est le deuxième.
Deux millions d'habitants = 2 millions d'habitants
Le code est quatre, deux, quatre, deux. = Le code est 4242.
Elles ont quatre, deux, quatre, deux.
Trois euros cinquante par mois = 3,50 € par mois
Trois euros cinquante l'heure = 3,50 € l'heure
Un euro cinquante = 1,50 €
Cinq euros vingt personnes
Vingt euros un jour = 20 € un jour
Mille ou deux mille euros = 1 000 ou 2 000 €
Un à deux pour cent
À huit heures cinq = À 8 h 05
À huit heures cinq minutes
À dix heures un homme est venu. = À 10 heures un homme est venu.
Quatre heures moins vingt
Ils étaient vingt second. = Ils étaient 20 second.`,
  de: `
Ich habe fünfundzwanzig Bücher und eins davon ist neu. = Ich habe 25 Bücher und eins davon ist neu.
Eine Sekunde, bitte.
Es sind dreihundertfünfundvierzig Leute. = Es sind 345 Leute.
Am dritten Mai regnet es. = Am 3. Mai regnet es.
Sie ist neunzehnhundertneunundneunzig geboren. = Sie ist 1999 geboren.
Das kostet zwanzig Euro fünfzig. = Das kostet 20,50 €.
Fünf Prozent sind dagegen. = 5 % sind dagegen.
Wir treffen uns um acht Uhr dreißig. = Wir treffen uns um 8:30 Uhr.
Der Zug fährt um acht Uhr. = Der Zug fährt um 8 Uhr.
Drei Komma fünf Meter = 3,5 Meter
Zweitausenddreihundert Meter = 2300 Meter
Hundertzwanzigtausend Menschen = 120.000 Menschen
Tausend Dank!
Es war der einundzwanzigste Versuch. = Es war der 21. Versuch.
Die Nummer ist null eins sieben sechs vier fünf. = Die Nummer ist 017645.
Zwei oder drei Leute
Das ist ein Haus.
Zwei Millionen Euro = 2 Millionen Euro
Seite sieben = Seite 7
Gib acht auf dich.
Zwischen fünf und zehn Leute = Zwischen 5 und 10 Leute
Die Kundennummer ist vier, zwei, vier, zwei. = Die Kundennummer ist 4242.
Es stand vier, zwei, vier, zwei.
Zwei Euro zehn das Stück = 2,10 € das Stück
Ein Euro fünfzig = 1,50 €
Zwei Euro fünfzig Leute
Fünfzig Euro und zwanzig Leute = 50 € und 20 Leute
Drei Euro zwanzig bis fünf Euro = 3,20 € bis 5 €
Zwei oder drei Euro = 2 oder 3 €
Um acht Uhr fünf. = Um 8:05 Uhr.
Um acht Uhr fünf Leute
Ich habe eine Uhr gekauft.
Es ist ein Uhr. = Es ist 1 Uhr.
Hunderte Menschen kamen zu Hunderten.
Am hundertsten Tag = Am 100. Tag
Um acht Uhr ein Treffen = Um 8 Uhr ein Treffen
Zwanzig nach acht`,
  it: `
Ho venticinque libri e uno di loro è nuovo. = Ho 25 libri e uno di loro è nuovo.
Un secondo, per favore.
Duemilatrecentoquarantacinque euro = 2345 €
È nato il ventuno maggio millenovecentonovantanove. = È nato il 21 maggio 1999.
Il primo maggio è festa. = Il 1º maggio è festa.
Il cinque per cento = Il 5%
Due virgola cinque metri = 2,5 metri
Ci vediamo alle otto e trenta. = Ci vediamo alle 8:30.
Due o tre persone
Mille grazie a tutti.
Centoventimila persone = 120.000 persone
Venti euro e cinquanta = 20,50 €
Chiama tre quattro otto uno due tre quattro cinque sei sette. = Chiama 348 123 4567.
Tre milioni di euro = 3 milioni di euro
È il ventunesimo giorno. = È il 21º giorno.
Il terzo e il quarto
Ho ventotto anni. = Ho 28 anni.
Pagina sette = Pagina 7
Tra cinque e dieci persone = Tra 5 e 10 persone
Una volta, un re
Centotto gradi = 108 gradi
Il codice è quattro, due, quattro, due. = Il codice è 4242.
Abbiamo quattro, due, quattro, due.
Tre euro e cinquanta al mese = 3,50 € al mese
Un euro e cinquanta all'ora = 1,50 € all'ora
Venti euro e cinquanta persone
Due o tre euro = 2 o 3 €
Alle tre meno venti
Alle dieci e cinque
Erano venti secondo me. = Erano 20 secondo me.`,
};
