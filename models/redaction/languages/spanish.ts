// Words of redaction in Spanish.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

/** Before the verb, and before the noun where no account is meant. */
const telling =
  '(?:se|me|nos|te) (?:dio|dieron|da|dan|doy|di|dimos)|dar(?:se|me|nos|te)|' +
  'dado|dio|nos|me|le|les|se|' +
  'por (?:mi|su|tu)|' +
  '(?:ten|tien|tom|llev)\\p{L}* en';

export const spanish: RedactionLanguage = {
  code: 'es',
  common:
    'el los las del al y en con por para una un unos unas su sus mis tus es son está están fue ' +
    'era ser hay ha he han había no sí que qué se me te le les lo nos pero como cuando donde más ' +
    'muy ya yo usted ustedes ellos esta este estos eso esto así también desde hasta entre sobre ' +
    'todo todos gracias quiero puede puedo tengo tiene mi favor número hermanos año',
  announcements: {
    card: 'tarjeta',
    securityCode:
      'código de seguridad|(tres|3) (últimos )?(dígitos|números|cifras)|' +
      '(número|código|dígitos) del reverso',
    account:
      'dni|nie|nif|pasaporte|segur(idad|o) social|permiso de conducir|' +
      unlessAfter(telling, 'cuenta(?! con (?:(?:más|casi|unos|cerca)(?: de)? )?\\d)'),
    phone:
      'contacto|llamar(me|nos|le|te)?|ll[áa]m[ae](me|nos)|ll[áa]menme|' +
      'locali[sz]\\p{L}*|localícen?(?:me|nos)|(mi|su) número(?! de)',
  },
  homographs: 'carta liga portable',
  devices: 'teléfono|móvil|celular',
  endings: {
    ends: 'termina|acaba',
    endsIn: '(?:termina|acaba)(?:d[ao])? en',
    lastFour: 'últim[oa]s (?:cuatro|4)(?: (?:dígitos|números|cifras)|(?= d(?:e|el|e la) ))',
    last: 'últim[oa]s',
  },
  others: {
    ofThings: 'número de s[eé]rie',
    things: 'pedido|factura|reserva|(?:número de )?cliente',
    otherThings:
      'habitación|contrato|número de socio|código de barras|coordenadas|' +
      'número de (?:artículo|envío|seguimiento)',
    asked:
      'nacimiento|naci[óo]|caduc\\p{L}*|vencimiento|vence|código postal|importe|monto|' +
      'precio|cuánt[oa]s?|cuándo|año|mes|edad|fecha',
    pleases: 'favor',
    linking: 'número|código|que',
    verbs: 'es|era',
    ofDevice: 'de|del',
    owners: 'mi|su',
    answers: 'es',
  },
  amounts: {
    units: 'céntimos|centavos|por ?cien(?:to)?|personas|clientes|puntos|libras',
    counted:
      'veces|dólar(?:es)?|euros?|pesos?|soles|habitantes|votantes|espectadores|usuarios|lectores|' +
      'hogares|' +
      'visitantes|ejemplares|copias|toneladas|metros',
    times: 'momento|instante?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?',
    months:
      'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|' +
      'noviembre|diciembre',
    dayJoints: 'de',
    conjunctions: 'y o e',
    smallWords: 'luego',
    beforeTimes: 'las',
    beforeRanges: 'entre',
    beforeYears: 'en desde hasta año',
  },
  fillers: 'eh ehm y luego sí guion guión mm bueno vale coma',
  hesitations: 'perdón espera espere un momento déjame ver no eh',
  plusSigns: 'más mas',
  links: 'de|del|para|sobre|en',
  joins: 'y|o|es|e',
  addresses: {
    at: 'arroba',
    dot: 'punto',
    joiners: 'guion guión',
    underscores: 'guion bajo,guión bajo',
    stops: 'es la el mi correo dirección',
    nouns: 'correo dirección',
    announced: 'es',
    writes: 'escr[ií]b\\p{L}*',
    to: 'a',
    conjunctions: 'y e',
  },
  spellingLinks: 'como,de',
};
