// Sentences of Italian.
import type { Said } from './said.ts';

export const italian: Said = {
  language: 'it',
  hidden: {
    known: `
la mia carta è la card<4532 1488 0343 6464> e scade a maggio
il numero della carta è card<quattro uno uno uno uno uno uno uno uno uno uno uno uno uno uno uno>
il codice di sicurezza è card<quattro due uno> credo
mi può chiamare al phone<347 123 4567> la sera
il mio telefono è phone<tre quattro sette uno due tre quattro cinque sei sette> grazie
il numero di conto è account<77120934> da voi
il mio IBAN è account<IT60 X054 2811 1010 0000 0123 456> va bene
il conto corrente account<664422119> a Milano
il passaporto è account<531207944> da aprile
il codice fiscale è account<RSSMRA85T10A562S> scritto qui
il mio cellulare è il phone<333 98 76 543> sempre
la carta finisce con card<4242> quella usata
mi richiami allo phone<06 4455 6677> per favore
il mio account number è account<88123409> sul sito
il fax è phone<02 5566 7788> in ufficio`,
    setAside: `
vorrei pagare con la carta card<5425 2334 3010 9903> per favore
la visa è card<4111 1111 1111 1111> giusto
le tre cifre sono card<otto zero sette> dietro
telefonami al phone<338 44 55 667> quando puoi
il suo telefono è phone<011 555 66 77> a Torino
sul conto account<6644 2211 90> della banca
ho un conto numero account<4455667> presso di voi
il numero di patente è account<MI1234567X> credo
chiamami al phone<320 11 22 334> stasera
il mio numero è phone<tre tre otto venti trenta quaranta cinquanta> scriva
le ultime quattro cifre sono card<9903> della carta
il conto termina con account<8812> sì
la credit card è card<4242 4242 4242 4242> signora
il conto che ho aperto è account<55 66 77 88> a marzo
mio figlio ha il cellulare phone<349 8877 665> nuovo`,
  },
  harmless: {
    known: `
la città conta 3 456 789 abitanti oggi
il paese conta 1234567 abitanti
il club conta 2345678 soci in tutto
mi rendo conto che 1234567 famiglie aspettano
la carta geografica del 1985 e del 1992
il maestro ha diretto nel 1985 e nel 1992
il quarto posto ha 1234567 punti
la camera ha 1200345 iscritti in archivio
il bilancio è di 3 456 789 euro
il telefono costa tra 1200 e 1300 euro
mi chiamo Luca e ho 1234567 punti
il mobile antico vale 1250000 euro
alla fine dei conti 7654321 persone hanno votato
bisogna tenere conto di 1234567 famiglie
il contatto è durato 1500 o 1700 secondi`,
    setAside: `
il lago conta 47 123 456 pesci
la regione conta circa 2345678 anime
che conta 3 400 500 elettori
si tiene conto di 1234567 nuclei
per conto di 2345678 azionisti
ci si rende conto di 1200345 errori
la carta di Milano è del 1914 o del 1918
un menù alla carta con 123456789012 righe
il film ha fatto 3 400 500 spettatori
la lega ha speso 2 345 678 euro
il debito è di 9 876 543 euro
il credito di 1234567 euro è concesso
la cellula misura tra 1200 e 1300 unità
si chiamano 1234567 volte all'anno
abbiamo 1234567 clienti sulla lista`,
  },
};
