// Words of redaction in French.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

/** Before the verb: "la ville qui compte". */
const subjects = 'il|ils|elle|elles|on|qui|se|ne|y|je|tu';
/** Before the noun where no account is meant: "tenir compte". */
const phrases = 'en fin de|(?:ten|tien|rend)\\p{L}*|sans';

export const french: RedactionLanguage = {
  code: 'fr',
  common:
    'le les des du un une et ou est sont était dans pour par sur avec au aux ce cet cette ces ' +
    "c'est il elle on nous vous ils elles je tu ne pas plus que qui mon ma mes votre vos notre " +
    "son sa leur leurs mais comme aussi très bien oui non merci s'il numéro j'ai suis ai avez " +
    "avons ont peut pouvez à d'accord voilà quand où donc chez y",
  announcements: {
    card: unlessAfter('à la', 'carte'),
    securityCode:
      'code de sécurité|cryptogramme|(trois|3) (derniers )?chiffres|' +
      '(numéro|code|chiffres) au (dos|verso)',
    account:
      'sécurité sociale|sécu|passeport|permis de conduire|' +
      unlessAfter(`${subjects}|${phrases}`, 'compte(?! rendu)'),
    phone: `${unlessAfter('compte|carte', 'numéro(?! d)')}|joindre|contacter`,
  },
  homographs: 'carta ligue liga handy',
  devices: 'téléphone|portable',
  endings: {
    ends: '',
    endsIn: 'se termin(?:e|ant) par|fini(?:t|ssant) par',
    lastFour: '(?:quatre|4) derniers(?: chiffres|(?= d))',
    last: '',
  },
  others: {
    ofThings: 'numéro de série',
    things: 'commande|facture',
    otherThings:
      'chambre|contrat|numéro (?:de )?client|code-barres|coordonnées gps|' +
      "numéro (?:d’|d'|de )(?:article|colis|suivi)",
    asked: 'naissance|née?|code postal|montant|prix|combien|quand|année|mois|âge|client',
    pleases: 'plaît',
    linking: 'numéro|code|que|qui',
    verbs: 'est',
    ofDevice: 'de|du',
    owners: 'mon',
    answers: "c'est",
  },
  amounts: {
    units: 'francs?|livres|centimes|pour ?cent|dirhams?|personnes|points|yens|roubles',
    counted:
      'fois|euros?|dollars?|habitants|électeurs|visiteurs|spectateurs|lecteurs|abonnés|foyers|' +
      'chômeurs|entrées|exemplaires|membres|tonnes|mètres',
    times: 'moments?|instants?|secondes?|minutes?|heures?|jours?|semaines?|mois|ans|années?',
    months: 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre',
    dayJoints: 'd',
    conjunctions: 'et ou',
    smallWords: 'puis',
    beforeTimes: 'à',
    beforeRanges: 'entre',
    beforeYears: 'en depuis année',
  },
  fillers: 'euh et puis oui tiret donc alors virgule espace',
  hesitations: 'euh pardon attendez attends désolé désolée non un moment',
  plusSigns: 'plus',
  links: 'de|du|des|pour|sur|à',
  joins: 'et|ou|est',
  addresses: {
    at: 'arobase',
    dot: 'point',
    joiners: 'tiret',
    underscores: 'tiret du bas',
    stops: "est mon adresse mail à c'est",
    nouns: 'adresse mail',
    announced: "est c'est",
    writes: 'écri\\p{L}*',
    to: 'à',
    conjunctions: 'et',
  },
  spellingLinks: 'comme,de',
};
