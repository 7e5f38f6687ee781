// Words of redaction in German.
import type { RedactionLanguage } from './redaction-language.ts';

export const german: RedactionLanguage = {
  code: 'de',
  common:
    'der die das den dem des ein eine einen einem einer und oder zu zum zur ist sind war waren ' +
    'nicht auch ich du er sie wir ihr es mit von vom für auf an im in am bei nach aus wie was ' +
    'wenn dass hat haben habe hatte wird werden kann können mein meine meinem ihre ihren mich ' +
    'mir sich so noch nur aber als unter über bis hier da doch mal ja nein bitte danke nummer',
  announcements: {
    card: 'kreditkarte|karte|kartennummer|creditcard',
    securityCode:
      'prüfziffer|sicherheitscode|prüfnummer|(drei|3) (ziffern|zahlen|stellen)|dreistellige[rsn]?',
    account:
      '(sozial|renten)versicherung(snummer)?|versichertennummer|steuer-id|steuernummer|' +
      '(personal)?ausweis(nummer)?|reisepass(nummer)?|führerschein(nummer)?|' +
      'konto|kontonummer|bankverbindung|bankleitzahl|blz',
    phone: 'telefonnummer|handynummer|rufnummer|mobilnummer|erreichen|(meine|ihre) nummer',
  },
  homographs: 'nie bellen liga carta portable',
  devices: 'handy|telefon',
  endings: {
    ends: 'endet',
    endsIn: 'endet (?:auf|mit)|endend auf|endziffern',
    lastFour:
      'letzten (?:vier|4) (?:ziffern|stellen|zahlen)|' +
      'letzten (?:vier|4)(?= (?:der|meiner|ihrer|von|vom) )',
    last: 'letzten',
  },
  others: {
    ofThings: 'seriennummer',
    things: 'bestell(?:ung|nummer)|rechnung|vertrag|kundennummer',
    otherThings:
      'zimmer|angebot|mitgliedsnummer|koordinaten|strichcode|' +
      '(?:artikel|paket|sendungs|teile)nummer',
    asked:
      'geburt\\p{L}*|geboren|gültig|ablauf\\p{L}*|abläuft|postleitzahl|plz|hausnummer|' +
      'bestell\\p{L}*|rechnung\\p{L}*|vertrag\\p{L}*|betrag|preis|' +
      'wie (?:viele?|alt|lange|oft)|wann|uhrzeit|jahr|monat|alter|datum',
    pleases: 'bitte',
    linking: 'nummer|code|id|die',
    verbs: 'ist|lautet|war|bitte',
    ofDevice: 'von|vom|auf',
    owners: 'meinem|dem|ihrem',
    answers: 'es|das',
  },
  amounts: {
    units: 'pfund|prozent|franken|cent|kronen|kunden|leute|personen|punkten?',
    counted:
      'mal|dollars?|euros?|einwohner|bürger|zuschauer|wähler|besucher|haushalten?|nutzer|' +
      'menschen|stück|exemplare|tonnen|meter',
    times: 'momente?|sekunden?|minuten?|stunden?|tagen?|wochen?|monaten?|monate|jahren?',
    months: 'januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember',
    dayJoints: 'des',
    conjunctions: 'und oder',
    smallWords: 'dann im am in',
    beforeTimes: 'um',
    beforeRanges: 'zwischen',
    beforeYears: 'in im seit bis jahr',
  },
  fillers:
    'äh ähm und dann ja gut also noch nochmal die eine bindestrich minus okay ok so hm hmm ' +
    'komma',
  hesitations:
    'äh ähm entschuldigung sorry moment warten sie warte sekunde eine mal kurz noch nein also',
  plusSigns: 'plus',
  links: 'zu[mr]?|für|in|auf|von|vom',
  joins: 'und|oder|ist',
  addresses: {
    at: 'ät at klammeraffe',
    dot: 'punkt',
    joiners: 'unterstrich bindestrich minus',
    underscores: '',
    stops: 'ist meine adresse lautet',
    nouns: 'adresse',
    announced: 'ist lautet',
    writes: 'schreib\\p{L}*',
    to: 'an',
    conjunctions: 'und',
  },
  spellingLinks: 'wie,als in',
};
