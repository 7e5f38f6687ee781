// Sentences of Dutch.
import type { Said } from './said.ts';

export const dutch: Said = {
  language: 'nl',
  hidden: {
    known: `
mijn kaart is card<4532 1488 0343 6464> en die verloopt in mei
het nummer van de kaart is card<vier een een een een een een een een een een een een een een een>
de beveiligingscode is card<vier twee een> denk ik
u kunt mij bellen op phone<06 1234 5678> in de avond
mijn telefoonnummer is phone<nul zes een twee drie vier vijf zes zeven acht> graag
mijn rekeningnummer is account<77120934> bij jullie
mijn IBAN is account<NL91 ABNA 0417 1643 00> goed zo
de rekening is account<664422119> bij de bank
mijn paspoort is account<NXR12K4J7> sinds april
mijn bsn is account<123 45 67 82> zeg ik
mijn mobiel is phone<06 98 76 54 32> altijd
de kaart eindigt op card<4242> die ik gebruikte
mijn account nummer is account<88123409> op de site
mijn nummer is phone<020 555 66 77> op kantoor
de fax is phone<010 4455 667> in Rotterdam`,
    setAside: `
ik wil betalen met creditcard card<5425 2334 3010 9903> alsjeblieft
de visa is card<4111 1111 1111 1111> klopt
de drie cijfers zijn card<acht nul zeven> achterop
bel me op telefoon phone<06 44 55 66 77> als het kan
haar telefoon is phone<030 222 33 44> in Utrecht
op rekening account<6644 2211 90> van de bank
mijn rijbewijs is account<4455667788> geloof ik
het rijbewijsnummer is account<5566778> staat er
mijn mobiele telefoon is phone<06 11 22 33 44> schrijf op
mijn nummer is phone<nul zes twintig dertig veertig vijftig> noteer maar
de laatste vier cijfers zijn card<9903> van de kaart
de rekening eindigt op account<8812> ja
de credit card is card<4242 4242 4242 4242> mevrouw
ze heeft een rekening geopend account<55 66 77 88> in maart
mijn sofinummer of bsn is account<987 65 43 21> volgens mij`,
  },
  harmless: {
    known: `
ik heb nooit 1234567 euro gehad
de stad telt 3 456 789 inwoners nu
houd rekening met 1234567 huishoudens
de kaart van Europa uit 1985 en 1992
de maestro dirigeerde in 1985 en in 1992
het saldo is 3 456 789 euro vandaag
de telefoon kost tussen 1200 en 1300 euro
het contact duurde 1500 of 1700 seconden
we bereikten 1200345 klanten in totaal
de liga had 1234567 kijkers dit jaar
wij bellen 1234567 mensen per jaar
de mobiele markt heeft 2345678 gebruikers
een handy ding uit 1995 en 1998
op de rekening staat 1 250 000 euro
het duurde 365 dagen of 12 maanden`,
    setAside: `
het land telt 17 123 456 inwoners
de provincie telt ongeveer 2345678 zielen
we hielden rekening met 3 400 500 kiezers
daar moet je rekening mee houden zeggen 1234567 mensen
voor rekening van 2345678 aandeelhouders
de kaart toont 1200345 huizen
op de kaart van 1914 of 1918 staat het niet
de film trok 3 400 500 bezoekers
de bond gaf 2 345 678 euro uit
het debet is 9 876 543 euro
het krediet van 1234567 euro is verleend
de cel is tussen 1200 en 1300 eenheden
ze bellen 1234567 keer per jaar
de rode kaart kostte 1250000 euro
de mobiele school heeft 1234567 leerlingen`,
  },
};
