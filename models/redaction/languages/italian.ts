// Words of redaction in Italian.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

/** "Per conto di". */
const anAccount = `${unlessAfter('per', 'conto')}|conto(?! d)`;

export const italian: RedactionLanguage = {
  code: 'it',
  common:
    'il lo gli i uno e è ed di da del della dei delle dello al alla alle ai nel nella nei sul ' +
    'sulla con per tra fra non che chi cui mi ti si ci vi mio mia miei mie suo sua suoi sono era ' +
    'ho ha hanno abbiamo avete questo questa quello quella anche come più ma se o molto quando ' +
    'dove grazie sì no favore numero posso può vorrei oggi tutto tutti',
  announcements: {
    card: unlessAfter('alla', 'carta'),
    securityCode: 'codice di sicurezza|(tre|3) (ultime )?cifre|(codice|numero|cifre) sul retro',
    account:
      'codice fiscale|passaporto|numero di patente|' +
      unlessAfter('(?:rend|ten|tien)\\p{L}*', anAccount),
    phone:
      '(ri)?chiam(are|armi|arci|arla|arlo|i|ami|ate|atemi)|telefona(mi|temi|re|rmi)|' +
      '(mio|suo) numero(?! di)|contatt(?:are|armi|ami|i)',
  },
  homographs: 'conta contato liga portable',
  devices: 'telefono|cellulare',
  endings: {
    ends: 'finisce|termina',
    endsIn: '(?:termina|finisce) con',
    lastFour: 'ultim[ei] (?:quattro|4)(?: (?:cifre|numeri)|(?= d))',
    last: 'ultim[ei]',
  },
  others: {
    ofThings: 'numero di serie',
    things: 'ordine|fattura|cliente?',
    otherThings:
      'camera|contratto|codice cliente|numero cliente|codice a barre|coordinate|codice articolo',
    asked: 'nascita|nat[oa]|scad\\p{L}*|cap|importo|prezzo|quant[oiae]|quando|anno|mese|età|data',
    pleases: 'favore',
    linking: 'numero|codice|che',
    verbs: 'è|era',
    ofDevice: 'di|del',
    owners: 'mio|suo',
    answers: 'è',
  },
  amounts: {
    units: 'sterline|franchi|centesim[io]|per cento|persone|clienti|punti',
    counted:
      'volte|euro|dollar[oi]|abitanti|elettori|spettatori|lettori|famiglie|visitatori|soci|' +
      'iscritti|copie|unità|tonnellate|metri',
    times: 'momento|istante?|second[oi]|minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[oi]',
    months:
      'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|' +
      'dicembre',
    dayJoints: 'di',
    conjunctions: 'e o',
    smallWords: 'poi nel',
    beforeTimes: 'alle',
    beforeRanges: 'tra fra',
    beforeYears: 'nel dal anno in',
  },
  fillers: 'ehm e poi sì trattino eh allora virgola',
  hesitations: 'scusi scusa aspetti aspetta attimo un no ehm',
  plusSigns: 'più piu',
  links: 'di|del|della|de[lsr]?|sul|su|da|per',
  joins: 'e|è|o',
  addresses: {
    at: 'chiocciola',
    dot: 'punto',
    joiners: 'trattino',
    underscores: 'trattino basso',
    stops: 'è é mia la indirizzo',
    nouns: 'indirizzo mail email',
    announced: 'è é',
    writes: 'scriv\\p{L}*',
    to: 'a',
    conjunctions: 'e',
  },
  spellingLinks: 'come,di',
};
