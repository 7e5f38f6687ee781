// Sentences of German.
import type { Said } from './said.ts';

export const german: Said = {
  language: 'de',
  hidden: {
    known: `
meine Kartennummer ist card<4532 1488 0343 6464> und sie läuft im Mai ab
meine Account Nummer ist account<77120934> bei Ihnen
die credit card hat die Nummer card<5425 2334 3010 9903> genau
Sie können mich unter phone<0176 1234 5678> erreichen
rufen Sie mich an unter der phone<null eins sieben sechs eins zwei drei vier fünf sechs>
das Konto ist account<532 013 000> bei der Sparkasse
meine IBAN lautet account<DE89 3704 0044 0532 0130 00> bitte
die Bankleitzahl ist account<370 400 44> glaube ich
der Sicherheitscode ist card<vier zwei eins> so steht es da
meine Handynummer ist phone<0151 23456789> Tag und Nacht
mein Reisepass hat die Nummer account<C01X00T47> von der Stadt
die Karte endet auf card<4242> die ich benutzt habe
die Steuernummer ist account<21 815 08150> für das Jahr
meine Nummer ist phone<555 123 45> im Büro
my mobile ist die phone<0170 555 12 34> einfach anrufen`,
    setAside: `
ich zahle mit der Karte card<4111 1111 1111 1111> bitte
Kreditkarte card<vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei vier zwei>
die drei Ziffern sind card<8 0 7> hinten drauf
mein Telefon ist phone<030 901 820> in Berlin
im Büro bin ich unter phone<089 2155 4433> zu erreichen
die Kontonummer wäre account<0532 0130 00> wie immer
mein bank account ist account<66442211> bei der Bank
meine phone number ist phone<0160 99 88 77 6> für Rückfragen
mein Personalausweis ist account<L01X00T471> steht da
die Sozialversicherungsnummer ist account<12 150685 0 123> bitte
das Fax ist phone<0211 44 55 66> in Düsseldorf
meine Rufnummer lautet phone<dreiundvierzig siebzehn einundzwanzig neun> im Ort
die letzten vier Ziffern sind card<9903> von der Karte
das Konto endet auf account<8812> nicht wahr
wir brauchen Ihre Steuer-ID also account<65 929 970 489> schreibe ich auf`,
  },
  harmless: {
    known: `
ich habe nie 1234567 Euro besessen
das hat er nie 2345678 Mal gesagt
Hunde die bellen kosten 1200345 Menschen den Schlaf
die Stadt hat 3 456 789 Einwohner und wächst
auf dem Konto sind 3 456 789 Euro verbucht
ein handy gemachtes Modell von 1995 und 1998
sie spielten in der Liga vor 1234567 Zuschauern
die Ferienkarte gilt von 2019 bis 2021
der Maestro dirigierte 1985 und 1992
er kam zwischen 1200 und 1300 nach Köln
der Kontakt zu 1234567 Haushalten ging verloren
die Werbung soll 1250000 Leute erreichen
die Zahl der Klicks erreichte 7654321 im März
der Mobile Markt hat 1234567 Nutzer
die Carta von 1215 und 1225 ist alt`,
    setAside: `
so etwas gab es nie 7654321 Mal im Jahr
man konnte 2345678 Kunden nicht erreichen
laut Karte sind es 1234567 Meter bis dort
im Land leben 8 123 456 Menschen insgesamt
das Konto wurde 2015 und 2016 geprüft
ein Handy kostet zwischen 800 und 1200 Euro
der Film hatte 3 400 500 Besucher
im Reich der Mobile sammelte er 1234567 Stück
die Cell Analyse zählte 4500000 Zellen
das Debit lag bei 9 876 543 Euro
die Visa Vergabe traf 1200345 Personen
seit 1998 zählt die Kommune 1345678 Bürger
der Compte rendu hat 1234567 Wörter
die Reichweite erreicht 250000 Hörer am Tag
ein Contact Center hat 1500 und 1700 Plätze`,
  },
};
