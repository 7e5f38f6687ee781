// Further sentences with spoken numbers and how they are written, by language: prices, times,
// years, telephone numbers, decimals, fractions and ranges as people say them.

/** A line per sentence: `spoken = written`; a line without `=` does not change. */
export const spoken: Readonly<Record<string, string>> = {
  en: `
It's ten thirty. = It's 10:30.
Ten thirty works for me.
The meeting is at eleven fifteen. = The meeting is at 11:15.
The battle was in ten sixty six. = The battle was in 1066.
It was signed in twelve fifteen. = It was signed in 1215.
About twenty thirty people came.
By twenty thirty we will be done. = By 2030 we will be done.
One of them had second thoughts.
A hundred and one reasons = 101 reasons
Three and a half hours later
It grew by zero point seven five percent. = It grew by 0.75%.
One point two million people live here. = 1.2 million people live here.
Between nineteen fourteen and nineteen eighteen = Between 1914 and 1918
The year two thousand was good. = The year 2000 was good.
She paid nineteen ninety nine dollars.
That's forty nine dollars and ninety nine cents. = That's $49.99.
Fifty cents is enough. = 50 cents is enough.
It opens at nine a.m. and closes at five thirty p.m. = It opens at 9 a.m. and closes at 5:30 p.m.
A quarter to eleven
Half past ten
Twenty past ten
Flight two one seven = Flight 217
Two thirds of the twenty first century = Two thirds of the 21st century
He came third, and she came fourth.
Pi is three point one four one five nine. = Pi is 3.14159.
Minus twenty degrees = Minus 20 degrees
Ninety nine point nine percent sure = 99.9% sure
My number is oh seven nine one one, one two three, four five six. = My number is 07911123456.
Nine one one is the number. = 911 is the number.
Two hundred fifty thousand dollars = $250,000
Five hundred to six hundred people = 500 to 600 people
Room four oh four = Room 404
I have one hundred percent faith in you two. = I have 100% faith in you two.
It costs a dollar. = It costs a dollar.
The nineteen sixty six World Cup = The 1966 World Cup
Twenty four seven
Fifty fifty`,
  es: `
Dos coma cinco mil millones de euros = 2,5 mil millones de euros
Uno coma dos millones de personas = 1,2 millones de personas
Tres coma noventa = 3,90
Cuesta tres con cincuenta.
Cuesta tres euros con noventa y nueve. = Cuesta 3,99 €.
Son las diez y media.
Son las once y cuarto.
Nos vemos a las siete y cinco.
A las dieciocho treinta = A las 18:30
Una de ellas llegó la segunda.
En mil novecientos noventa y nueve = En 1999
En dos mil diez nos casamos. = En 2010 nos casamos.
El veintitrés de abril de mil seiscientos dieciséis = El 23 de abril de 1616
El siglo veintiuno = El siglo 21
Cien euros = 100 €
Ciento un dálmatas = 101 dálmatas
Un millón y medio
Dos tercios de la gente
El treinta y tres coma tres por ciento = El 33,3 %
Entre veinte y treinta mil personas
Mi número es noventa y uno cinco cinco cinco doce treinta y cuatro. = Mi número es 915 55 12 34.
Veinte grados bajo cero = 20 grados bajo cero
De nueve a cinco
Un segundo, por favor, y dos cafés.
Mil doscientos cincuenta euros = 1250 €
Medio kilo cuesta cuatro euros. = Medio kilo cuesta 4 €.
El primer día y el tercer mes
Setecientos cincuenta mil dólares = 750.000 $
Cincuenta céntimos = 50 céntimos
Doscientas veintiuna páginas = 221 páginas`,
  fr: `
Trois virgule quatre-vingt-dix = 3,90
Deux virgule soixante-quinze = 2,75
Trois virgule cinq milliards d'euros = 3,5 milliards d'euros
Un virgule deux million = 1,2 million
Quatre-vingt-dix-neuf euros quatre-vingt-dix-neuf = 99,99 €
Ça coûte vingt euros et cinquante centimes. = Ça coûte 20,50 €.
Il est dix heures et demie.
Il est onze heures moins le quart.
Rendez-vous à quatorze heures quarante-cinq. = Rendez-vous à 14 h 45.
Rendez-vous à vingt et une heures. = Rendez-vous à 21 heures.
L'un d'eux est arrivé le second.
En deux mille dix = En 2010
En dix-neuf cent quatre-vingt-quatre = En 1984
Le trente et un décembre mille neuf cent quatre-vingt-dix-neuf = Le 31 décembre 1999
Les années quatre-vingt-dix = Les années 90
Le vingt et unième siècle = Le 21e siècle
Deux tiers des gens
Une centaine de personnes
Trois quarts d'heure
Cent un dalmatiens = 101 dalmatiens
Cinq pour cent des cinquante personnes = 5 % des 50 personnes
Entre vingt et trente personnes = Entre 20 et 30 personnes
Vingt à trente mille euros
Au zéro un quarante-deux soixante-huit cinquante-trois zéro zéro. = Au 01 42 68 53 00.
Moins vingt degrés = Moins 20 degrés
Un sur dix = Un sur 10
Deux cents euros = 200 €
Quatre-vingt mille habitants = 80 000 habitants
Mille neuf cents euros = 1 900 €
C'est la première fois en cent ans. = C'est la première fois en cent ans.
Vingt-quatre heures sur vingt-quatre = 24 heures sur 24
Zéro virgule zéro cinq pour cent = 0,05 %`,
  de: `
Mai neunundneunzig = Mai 99
Zwei Komma fünf Milliarden Euro = 2,5 Milliarden Euro
Eins Komma zwei Millionen Menschen = 1,2 Millionen Menschen
Drei Komma neunzig = 3,90
Es ist zehn Uhr dreißig. = Es ist 10:30 Uhr.
Es ist halb elf.
Es ist Viertel nach zehn.
Zehn vor elf
Neunundneunzig Euro neunundneunzig = 99,99 €
Das kostet fünf Euro und zwanzig Cent. = Das kostet 5,20 €.
Fünfzig Cent = 50 Cent
Im Jahr zweitausendzehn = Im Jahr 2010
Seit zweitausendzwanzig = Seit 2020
Am ersten Januar neunzehnhundertneunundvierzig = Am 1. Januar 1949
Anderthalb Stunden
Zwei Drittel der Leute
Ein Viertel von hundert
Hundertein Dalmatiner = 101 Dalmatiner
Einer von zehn Leuten = Einer von 10 Leuten
Zwischen zwanzig und dreißig Leute = Zwischen 20 und 30 Leute
Zwanzig bis dreißig Prozent = 20 bis 30 %
Minus zwanzig Grad = Minus 20 Grad
Die Nummer ist null drei null zwölf vierunddreißig sechsundfünfzig. = Die Nummer ist 030123456.
Null Komma null fünf Prozent = 0,05 %
Das einundzwanzigste Jahrhundert = Das 21. Jahrhundert
Zweihundertfünfzigtausend Dollar = 250.000 $
Moment, eine Sekunde, zwei Minuten.
Um achtzehn Uhr = Um 18 Uhr
Tausendundeine Nacht = 1001 Nacht
Eineinhalb Millionen Euro
Siebzehn Uhr null fünf = 17:05 Uhr
Vierundzwanzig Stunden = 24 Stunden`,
  it: `
Cinque centesimi = 5 centesimi
Cinquanta centesimi = 50 centesimi
Venti euro e cinquanta centesimi = 20,50 €
Novantanove euro e novantanove = 99,99 €
Due virgola cinque miliardi di euro = 2,5 miliardi di euro
Tre virgola novanta = 3,90
Un virgola due milioni = 1,2 milioni
Sono le dieci e mezza.
Sono le undici meno un quarto.
Alle sette e cinque
Alle diciotto e trenta = Alle 18:30
Uno di loro è arrivato secondo.
Nel duemiladieci = Nel 2010
Il trentuno dicembre millenovecentonovantanove = Il 31 dicembre 1999
Gli anni novanta = Gli anni 90
Il ventunesimo secolo = Il 21º secolo
Due terzi della gente
Un quarto d'ora
Centouno dalmata = 101 dalmata
Cento euro = 100 €
Cento persone
Un centesimo di secondo
È il centesimo giorno. = È il 100º giorno.
Tra venti e trenta persone = Tra 20 e 30 persone
Dal venti al trenta per cento = Dal 20 al 30%
Mille duecento cinquanta euro = 1250 €
Meno venti gradi = Meno 20 gradi
Il numero è zero sei dodici trentaquattro cinquantasei. = Il numero è 06123456.
Zero virgola zero cinque per cento = 0,05%
Ventiquattro ore su ventiquattro = 24 ore su 24
Due milioni e mezzo = 2 milioni e mezzo
Le ore ventuno = Le ore 21`,
};
