// Words of redaction in Portuguese, of Portugal and Brazil.
import type { RedactionLanguage } from './redaction-language.ts';
import { unlessAfter } from './unless-after.ts';

/** Before the verb, and before the noun where no account is meant. */
const telling =
  'dá|dar|dei(?:-me)?|deu|deram|dão|dou|dando|faz de|se|nos|me|(?:te[rmn]|lev)\\p{L}* em';

/** "Por conta de". */
const anAccount = `${unlessAfter('por', 'conta')}|conta(?! d[aeo])`;

export const portuguese: RedactionLanguage = {
  code: 'pt',
  common:
    'o os as um uma uns umas e é do da dos das no na nos nas ao à aos às em com por pelo pela ' +
    'para pra não sim que se me te lhe eu você vocês ele ela eles elas nós meu minha meus minhas ' +
    'seu sua seus suas este esta isso isto esse essa são foi era ser está estão tem têm tenho há ' +
    'mas mais muito como quando onde também já até obrigado obrigada número favor ou quero',
  announcements: {
    card: 'cartão',
    securityCode:
      'código de segurança|(três|3) (últimos )?(dígitos|números)|(número|código) do verso',
    account:
      'cpf|nif|segurança social|passaporte|carta de condução|' + unlessAfter(telling, anAccount),
    phone:
      'contato|contacto|lig(ue|ar|uem)|me liga|' +
      `${unlessAfter('a|da|na', 'liga')}|` +
      'meu número(?! d)',
  },
  homographs: 'carta portable',
  devices: 'telefone|telemóvel|celular',
  endings: {
    ends: 'termina|acaba',
    endsIn: '(?:termina|acaba)(?:d[ao])? em|(?:com|cartão) final',
    lastFour: 'últim[oa]s (?:quatro|4)(?: (?:dígitos|números)|(?= d[aeo]s? ))',
    last: 'últim[oa]s',
  },
  others: {
    ofThings: 'número de série',
    things: 'fatura|pedido|reserva',
    otherThings:
      'quarto|contrato|número do cliente|número de (?:cliente|sócio)|código de barras|' +
      'coordenadas|número do artigo',
    asked:
      'nascimento|nasceu|validade|cep|valor|preço|quant[oa]s|quando|ano|mês|idade|data|cliente',
    pleases: 'favor',
    linking: 'número|código|que',
    verbs: 'é|era',
    ofDevice: 'do|da|de',
    owners: 'meu|o',
    answers: 'é',
  },
  amounts: {
    units: 'centavos|cêntimos|por ?cento|pessoas|clientes|pontos|libras',
    counted:
      'vezes|reais|euros?|dólares|habitantes|eleitores|espectadores|adeptos|desempregados|' +
      'famílias|visitantes|leitores|exemplares|toneladas|metros',
    times: 'momentos?|instante?|segundos?|minutos?|horas?|dias?|semanas?|m[eê]s(?:es)?|anos?',
    months:
      'janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro',
    dayJoints: 'de',
    conjunctions: 'e ou',
    smallWords: 'em no',
    beforeTimes: 'às',
    beforeRanges: 'entre',
    beforeYears: 'em desde ano até',
  },
  fillers: 'eh e então sim hífen hifen traço né depois vírgula',
  hesitations: 'desculpe espera um momento espere não',
  plusSigns: 'mais',
  links: 'de|da|do|para|sobre|pour',
  joins: 'e|é|ou',
  addresses: {
    at: 'arroba',
    dot: 'ponto',
    joiners: 'underline traço hífen hifen sublinhado',
    underscores: '',
    stops: 'é meu endereço',
    nouns: 'endereço',
    announced: 'é',
    writes: 'escrev\\p{L}*',
    to: 'para',
    conjunctions: 'e',
  },
  spellingLinks: 'como,de',
};
