// Further sentences: small cents, people after a time, temperatures, versions, ranges and numbers
// after an elided article, and what each of the rules turns on.

/** A line per sentence: `spoken = written`; a line without `=` does not change. */
export const further: Readonly<Record<string, string>> = {
  en: `
Twelve dollars five = $12.05
It costs twelve dollars oh five a month. = It costs $12.05 a month.
Twelve dollars five people = $12 five people
Call twenty dollars oh six one two
They paid twenty dollars one.
It was minus seven degrees. = It was minus 7 degrees.
Minus one degree = Minus 1 degree
Two degrees of separation
Point five percent of it = 0.5% of it
About point two five percent = About 0.25%
The point five people made
At this point five percent remain. = At this point 5% remain.
One point two point three million
Version three point one point four is out. = Version 3.1.4 is out.
Version two point ten point one point two = Version 2.10.1.2
It cost five pounds fifty. = It cost £5.50.
A pound ninety nine each = £1.99 each
Five pounds and twenty pence = £5.20
Seven pounds eleven = 7 pounds 11
Five pounds twenty people = 5 pounds 20 people
Ten pounds twenty ounces = 10 pounds 20 ounces
Two billion three hundred million people = 2,300,000,000 people
Two billion three hundred million dollars = $2,300,000,000
On flight two twenty three = On flight 223
Room four twelve is free. = Room 412 is free.
A tip of two twenty three
Twenty forty people
Fifteen twenty five people came.
The nineteen eighty four nineteen eighty five season = The 1984 1985 season
Account number nineteen eighty four nineteen eighty five = Account number 19841985
Twelve sixty was a year. = 1260 was a year.
Thirteen thirty was a year. = 1330 was a year.
The tenth percent = The 10th percent
It was ten, percent wise. = It was 10, percent wise.
Two million percent = 2 million percent
It takes five dollars and fifty. = It takes $5 and 50.
Twenty euros ten pesos = €20 10 pesos
Two million rupees = 2 million rupees
The second and five dollars = The second and $5
Take five, and ten dollars. = Take five, and $10.
One point five to two dollars = $1.5 to $2
The tenth dollar = The 10th dollar
I have ten, dollars count. = I have 10, dollars count.
Five five five one two three fourth = 555123 fourth
Five five five one point five = 555 1.5
My PIN is four, two, four.
Around ten nine people
Agent 007 has 05 left.
On the fifth, May left.
July the fourth = July the 4th
At ten, thirty people came. = At 10, 30 people came.
Sixty twelve
Five pounds fifteen = 5 pounds 15
Five pounds sixteen = £5.16
Call twenty two thirty three eleven two now. = Call 223-3112 now.
The two millionth visitor = The 2,000,000th visitor
Three point one, point four = 3.1, point four
Around twelve thirteen people
Twenty thirty buses came.
Around ten sixty buses came. = Around 1060 buses came.
Around ten fifty nine buses came.
Sixty to four = 60 to four
Twenty past twenty five
Eleven to twelve hundred
I lost the code. 4, 2, 4, 2 came.
The two hundredth time = The 200th time
The tenth, eleventh and twelfth = The 10th, 11th and 12th
Two tenths
The five thousandth visitor = The 5000th visitor
Twenty to, thirty thousand came. = 20 to, 30,000 came.
Two trillion dollars = $2 trillion
The code is treble nine. = The code is 999.
Two thousand three thousand
Ten seven
Four twenty
Twenty "five
Five, point six
Two point five, million = 2.5, million
Ten to four, thirty came. = Ten to four, 30 came.
Twenty four, seven = 24, seven
It was five to ten when she came.
It was five to ten minutes. = It was 5 to 10 minutes.
Between five to ten = Between 5 to 10
At ten to twelve
It's twenty to eleven.
Thirty to forty people = 30 to 40 people
See you at thirteen thirty. = See you at 13:30.
At nineteen forty five dollars each
It was at fifteen oh five. = It was at 15:05.
By nineteen forty five it was over. = By 1945 it was over.
On the first and second of May = On the 1st and 2nd of May
From the first to the third of May = From the 1st to the 3rd of May
The first and the second time
The five and the ten dollars = The $5 and the $10`,
  es: `
A las diez y veinte personas llegaron.
Las diez y veinte personas
A las dieciocho treinta clientes esperaban.
A las diez y veinte llegaron. = A las 10:20 llegaron.
A las diez y veinte las puertas abren. = A las 10:20 las puertas abren.
A las diez y veinte es la cita. = A las 10:20 es la cita.
Son las diez y veinte pasadas. = Son las 10:20 pasadas.
A las diez y veinte salimos. = A las 10:20 salimos.
A las diez y veinte Carlos salió. = A las 10:20 Carlos salió.
Doce euros con cinco = 12,05 €
Doce euros cero cinco = 12,05 €
Doce euros cinco personas = 12 € cinco personas
Hace menos siete grados. = Hace menos 7 grados.
Todos menos dos
La vigésima vez = La 20.ª vez
La décima y la séptima vez = La 10.ª y la séptima vez
En la sima
Tres o cuatrocientas personas
Trescientas o cuatrocientas personas = 300 o 400 personas
El código es doble siete cuatro. = El código es 774.
El código es triple nueve. = El código es 999.
Tres con noventa y nueve
Tres con cien
El vigésimo quinto aniversario = El 25.º aniversario
La décima tercera vez = La 13.ª vez
El vigésimo primer siglo
El quinto primero
El segundo de mayo
A las doce treinta
A las trece treinta = A las 13:30
Cuatro veinte
Sesenta doce
Tres con diez
A las ocho, treinta personas = A las ocho, 30 personas
3 mil millones de euros
2,5 mil millones
25 mil doscientas personas
Del cinco al diez por ciento = Del 5 al 10 %
Entre el cinco y el diez por ciento = Entre el 5 y el 10 %
Entre las ocho y las nueve y veinte = Entre las 8 y las 9:20
De las nueve a las diecisiete = De las 9 a las 17
Dos mil trescientos millones = 2300 millones
Del cinco al diez de mayo = Del 5 al 10 de mayo
El primero y el dos de mayo = El 1 y el 2 de mayo
La versión tres punto uno punto cuatro = La versión 3.1.4`,
  fr: `
En dix-sept cent quatre-vingt-neuf = En 1789
Le onze novembre dix-neuf cent dix-huit = Le 11 novembre 1918
Dix-huit cents personnes = 1800 personnes
Vingt cents personnes
Un mai chaud
Quarante douze
Le code est double sept quatre. = Le code est 774.
Le code est triple neuf. = Le code est 999.
Trois milliards = 3 milliards
Le centième et le deux millième jour = Le 100e et le 2000e jour
À une heure et demie
À une heure moins le quart
Le deuxième mai
Dix six
Soixante douze = 72
Le dix-septième jour = Le 17e jour
3 cent mille habitants
À dix heures vingt personnes sont venues.
À dix heures vingt les portes ouvrent. = À 10 h 20 les portes ouvrent.
À dix heures vingt précises = À 10 h 20 précises
À dix heures vingt nous partons. = À 10 h 20 nous partons.
Il est dix heures vingt. = Il est 10 h 20.
Douze euros cinq = 12,05 €
Douze euros zéro cinq = 12,05 €
Douze euros cinq personnes = 12 € cinq personnes
Il fait moins sept degrés. = Il fait moins 7 degrés.
De neuf heures à dix-sept heures = De 9 heures à 17 heures
Une réunion de neuf heures
Deux milliards trois cents millions = 2 300 000 000
Du cinq au dix mai = Du 5 au 10 mai
Le premier et le deux mai = Le 1er et le 2 mai
Du cinq au dix pour cent = Du 5 au 10 %
La version trois point un point quatre = La version 3.1.4
Entre le cinq et le dix pour cent = Entre le 5 et le 10 %`,
  de: `
Zwölf Euro fünf = 12,05 €
Das macht zwölf Euro null fünf. = Das macht 12,05 €.
Zwölf Euro fünf Leute = 12 € fünf Leute
Um zehn Uhr zwanzig Leute
Um acht, dreißig Leute = Um acht, 30 Leute
Vier zwanzig
Der Code ist doppel sieben vier. = Der Code ist 774.
Der Code ist doppelt sieben vier. = Der Code ist 774.
Der Code ist zweimal sieben vier. = Der Code ist 774.
Der Code ist dreimal neun. = Der Code ist 999.
Drei Milliarden = 3 Milliarden
Der siebte und der achtundzwanzigste = Der siebte und der 28.
Um zehn Uhr zwanzig kamen Leute. = Um 10:20 Uhr kamen Leute.
Um zehn Uhr zwanzig Abfahrt = Um 10:20 Uhr Abfahrt
Es sind minus sieben Grad. = Es sind minus 7 Grad.
Zwei Milliarden dreihundert Millionen = 2.300.000.000
Am ersten und zweiten Mai = Am 1. und 2. Mai
Vom ersten bis zum dritten Mai = Vom 1. bis zum 3. Mai
Der erste und der zweite
Sie ist am dritten vierten neunzehnhundertachtzig geboren. = Sie ist am 3.4.1980 geboren.
Am fünfundzwanzigsten zwölften achtundsiebzig = Am 25.12.78
Am dritten Vierten kommt sie. = Am 3.4. kommt sie.
Der dritte vierte
Am dritten zwanzigsten
Version drei Punkt eins Punkt vier = Version 3.1.4`,
  it: `
Alle dieci e venti persone sono entrate.
Alle diciotto e trenta persone
Alle dieci e venti sono entrate. = Alle 10:20 sono entrate.
Dodici euro e cinque = 12,05 €
Dodici euro cinque persone = 12 € cinque persone
Ci sono meno sette gradi. = Ci sono meno 7 gradi.
Tutti meno due
Cinquanta cent = 50 cent
Un maggio caldo
Il codice è doppio sette quattro. = Il codice è 774.
Il codice è doppia sette quattro. = Il codice è 774.
Il codice è triplo nove. = Il codice è 999.
Tre e novantanove.
Dieci e cinquanta. = 10 e 50.
Tre miliardi = 3 miliardi
Il secondo maggio
Il decimo giorno = Il 10º giorno
Quattro venti
Tre e dieci
Dal cinque al dieci per cento = Dal 5 al 10%
Tra il cinque e il dieci per cento = Tra il 5 e il 10%
Dalle nove alle diciassette = Dalle 9 alle 17
L'undici settembre = L'11 settembre
L’otto marzo = L’8 marzo
Nell'ottantaquattro = Nell'84
Il tetto dell'ottanta per cento = Il tetto dell'80%
All'una e venti = All'1:20
L'una o l'altra
L'anno e l'ora
Due miliardi trecento milioni = 2.300.000.000
Il primo e il due maggio = Il 1º e il 2 maggio
Mille e cinquecento euro
Tremila e cinquecento
Cento e venti euro
Duecento e trecento euro = 200 e 300 €
Due milioni e cinquecentomila = 2 milioni e 500.000
La versione tre punto uno punto quattro = La versione 3.1.4`,
};
