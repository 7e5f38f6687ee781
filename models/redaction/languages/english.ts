// Words of redaction in English.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

const noCards =
  'trump|wild|report|graphics|sound|video|memory|score|playing|birthday|index|yellow|red';
/** What people and sales reach. */
const goals =
  'platform|building|gate|floor|level|version|stage|page|chapter|step|round|exit|station|' +
  'over|more than|nearly|almost|about|around|up to';
/** "On account of". */
const anAccount = `${unlessAfter('on', 'account')}|account(?! of)`;

export const english: RedactionLanguage = {
  code: 'en',
  common:
    'the a an of and or to in is it that this these those for on with as at by from was were be ' +
    'been are have has had not but they you your my i we our us he she his her their will would ' +
    'can could should there what when how do does did if so up down about which who all after ' +
    'into than then them just please thank thanks yes number need he’s it’s',
  announcements: {
    card:
      `${unlessAfter(noCards, 'card')}|credit(?! (?:goes|score|rating|union))|debit|visa|` +
      'mastercard|' +
      'amex|american express|maestro',
    securityCode:
      'cvv2?|cvc2?|cv2|c v [vc]|security code|(three|3|four|4)[- ]digits?|' +
      'back of (the|your|my) card|(code|number|digits) (on|from) the back',
    account:
      `${unlessAfter('(?:tak\\p{L}+|took)(?: \\p{L}+){0,3} into', anAccount)}|` +
      'iban|routing|sort code|social security|' +
      '(my|your|his|her|their) social(?! media)|last (four|4) of social|ssn|s s n|passport|' +
      'policy number|tax id|national insurance|' +
      "driver['’]?s['’]? licen[cs]e|driving licen[cs]e|member id",
    phone:
      'telephone|call me|call you|call back|callback|ring (me|you)|give me a (ring|call)|' +
      `reach(?! (?:${goals}) \\d)|text me|whatsapp|` +
      '(my|the|her|his|their|our) number is|' +
      'contact(?! lens)|fax',
  },
  homographs: 'handy portable carta carte liga ligue nie',
  devices:
    '(?:(?:cell|mobile) )?phone|mobile(?! homes?)|' +
    unlessAfter('blood|stem|cancer|fuel|solar|prison', 'cell(?! (?:count|division|walls?))'),
  endings: {
    ends: 'ends',
    endsIn: 'ending(?: in| with)?|ends? (?:in|with)',
    lastFour:
      '(?:last|final) (?:four|five|six|[456])' +
      '(?: digits?| numbers?|(?= (?:of|on|are|is|please|from|for) )|(?=\\n|$))',
    last: 'last|final',
  },
  others: {
    ofThings: 'serial|model',
    things:
      'order|booking|reservation|reference|invoice|receipt|room|zip|postcode|year|' +
      '(?:item|customer) (?:number|no|id|code)|member (?:number|no|code)',
    otherThings:
      'confirmation|tracking|case|ticket|flight|gate|seat|extension|plate|contract|plan|' +
      'promotion|offer|subscription|warranty|trial|balance|total|amount|' +
      '(?:client|policyholder) (?:number|no|id|code)|' +
      '(?:article|part|product|package|parcel|voucher|catalogue) (?:number|no|code|id)|' +
      'bar ?code|imei|isbn|coordinates',
    asked:
      'date|birth\\p{L}*|dob|born|expir\\p{L}*|valid|post ?code|postal code|address|house|' +
      'amount|price|cost|pin|items?|how (?:many|much|old|long|often)|when|what time|month|age|' +
      'floor|customer|member|client',
    pleases: 'please',
    linking: 'number|code|id|that|which',
    verbs: 'is|are|was',
    ofDevice: 'of|on|for|from',
    owners: 'my|the|your|this',
    answers: "it|it's|that|that's|yes|sure|okay",
  },
  amounts: {
    units:
      'bucks|quid|pence|cents?|grand|rupees|percent|per cent|people|persons|customers|clients|' +
      'users|calls|points|miles|yen|dirhams?',
    counted:
      'times|(?:us |u s )?dollars?|euros?|pounds|inhabitants|residents|voters|viewers|' +
      'subscribers|households|homes|visitors|tourists|readers|copies|units|volunteers|pupils|' +
      'tons|metres',
    times: 'moments?|secs?|seconds?|minutes?|hours?|days?|weeks?|months?|years?',
    months: 'january|february|march|april|may|june|july|august|september|october|november|december',
    dayJoints: 'of',
    conjunctions: 'and or',
    smallWords: 'then in on also',
    beforeTimes: 'at',
    beforeRanges: 'between',
    beforeYears: 'in since until year',
  },
  fillers:
    'uh um er erm ah eh mm hmm hum dash hyphen minus space then and okay ok yeah yes right so ' +
    'comma well',
  hesitations:
    'uh um er erm sorry wait hold hang on let me see check look just a again i mean no excuse ' +
    'moment pardon',
  plusSigns: 'plus',
  links: 'on|of|for|to|in|from',
  joins: 'and|or|is',
  addresses: {
    at: 'at @',
    dot: 'dot . point',
    joiners: 'underscore dash hyphen minus plus _',
    underscores: '',
    stops:
      "is it it's its address email e-mail mail to me us my the a an and or at on um uh so yeah " +
      'yes okay',
    nouns: 'address email e-mail mail',
    announced: "is it's its address email e-mail",
    writes: 'write|e-?mail|mail|send',
    to: 'to',
    conjunctions: 'and',
  },
  spellingLinks: 'as in,like in,for,like',
};
