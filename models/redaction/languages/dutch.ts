// Words of redaction in Dutch.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

export const dutch: RedactionLanguage = {
  code: 'nl',
  common:
    'het een en van op te dat die dit deze voor met zijn aan niet om ook er maar naar uit bij ' +
    'ik je jij u wij ze zij hij hun haar mijn uw ons onze heb heeft hebben had is wordt worden ' +
    'werd kan kunt kunnen zal wat wie hoe waar als dan nog wel geen ja nee graag dank bedankt ' +
    'alstublieft over tot tussen nummer de hier daar mij',
  announcements: {
    card: 'kaart|creditcard',
    securityCode:
      'beveiligingscode|(drie|3) (laatste )?cijfers|driecijferige|' +
      '(code|cijfers) (op de )?achterkant',
    account:
      'bsn|paspoort(nummer)?|rijbewijs(nummer)?|rekeningnummer|' +
      unlessAfter('hou|houd\\p{L}*|hield\\p{L}*', 'rekening(?! (?:mee|houden|te houden))'),
    phone: 'telefoonnummer|bellen|mijn nummer',
  },
  homographs: 'nie liga carta handy portable',
  devices: 'telefoon|mobiel',
  endings: {
    ends: 'eindigt',
    endsIn: 'eindig(?:t|end) op',
    lastFour: 'laatste (?:vier|4)(?: (?:cijfers|nummers)|(?= van ))',
    last: 'laatste',
  },
  others: {
    ofThings: 'serienummer',
    things: 'factuur|klantnummer',
    otherThings: 'bestelling|kamer|klantcode|lidnummer|streepjescode|pakketnummer|bestelnummer',
    asked:
      'geboortedatum|vervald\\p{L}*|geldig|bedrag|prijs|hoeveel|wanneer|jaar|maand|leeftijd|' +
      'huisnummer|datum',
    pleases: 'alstublieft',
    linking: 'nummer|code|die|dat',
    verbs: 'is|was',
    ofDevice: 'van|op',
    owners: 'mijn|het|de',
    answers: 'het|dat',
  },
  amounts: {
    units: 'procent|cent|pond|mensen|klanten|punten',
    counted:
      'keer|euro|dollars?|inwoners|kiezers|kijkers|bezoekers|huishoudens|gebruikers|lezers|' +
      'exemplaren|stuks|ton|meter',
    times:
      'momenten?|seconden?|minuten?|uur|uren|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|ja(?:ar|ren)',
    months:
      'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december',
    dayJoints: 'van',
    conjunctions: 'en of',
    smallWords: 'dan in',
    beforeTimes: 'om',
    beforeRanges: 'tussen',
    beforeYears: 'in sinds tot jaar',
  },
  fillers: 'eh ehm dan streepje ja oké dus nog komma',
  ownFillers: 'en',
  hesitations: 'wacht even sorry nee een momentje',
  plusSigns: 'plus',
  links: 'van|voor|bij|op|in',
  joins: 'en|is|of',
  addresses: {
    at: 'apenstaartje',
    dot: 'punt',
    joiners: 'streepje',
    underscores: 'liggend streepje',
    stops: 'is mijn adres',
    nouns: 'adres',
    announced: 'is',
    writes: 'schrijf\\p{L}*|mail\\p{L}*',
    to: 'aan',
    conjunctions: 'en',
  },
  spellingLinks: 'van,als',
};
