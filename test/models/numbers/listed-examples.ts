// The words of numbers, each as it is written: what the tables of the languages say.

/** A line per list: `spoken = written`. */
export const listed: Readonly<Record<string, string>> = {
  en: `
Ten, eleven, twelve, thirteen, fourteen = 10, 11, 12, 13, 14
Fifteen, sixteen, seventeen, eighteen, nineteen = 15, 16, 17, 18, 19
Twenty, thirty, forty, fifty, sixty = 20, 30, 40, 50, 60
Seventy, eighty, ninety, fourty = 70, 80, 90, 40
Tenth, eleventh, twelfth, thirteenth, fourteenth = 10th, 11th, 12th, 13th, 14th
Fifteenth, sixteenth, seventeenth, eighteenth, nineteenth = 15th, 16th, 17th, 18th, 19th
Twentieth, thirtieth, fortieth, fiftieth = 20th, 30th, 40th, 50th
Twenty forty buses came, we need twenty fifty chairs
In twenty forty buses will be electric = In 2040 buses will be electric
The twenty fifty goals = The 2050 goals
By twenty sixty cars will fly, twenty twenty elections = By 2060 cars will fly, 2020 elections
Sixtieth, seventieth, eightieth, ninetieth = 60th, 70th, 80th, 90th
Twenty-first, twenty-second, twenty-third, twenty-fourth = 21st, 22nd, 23rd, 24th`,
  es: `
Diez, once, doce, trece, catorce, quince = 10, 11, 12, 13, 14, 15
Dieciséis, diecisiete, dieciocho, diecinueve, dieciseis = 16, 17, 18, 19, 16
Veintiuno, veintidós, veintitrés, veinticuatro, veinticinco, veintiséis = 21, 22, 23, 24, 25, 26
Veintisiete, veintiocho, veintinueve, veintiún, veintiuna = 27, 28, 29, 21, 21
Veinte, treinta, cuarenta, cincuenta = 20, 30, 40, 50
Sesenta, setenta, ochenta, noventa = 60, 70, 80, 90
Doscientos, trescientos, cuatrocientos, quinientos = 200, 300, 400, 500
Seiscientos, setecientos, ochocientos, novecientos = 600, 700, 800, 900
Doscientas, trescientas, cuatrocientas, quinientas = 200, 300, 400, 500
Seiscientas, setecientas, ochocientas, novecientas = 600, 700, 800, 900
Décimo, undécimo, duodécimo, decimotercero, decimocuarto = 10.º, 11.º, 12.º, 13.º, 14.º
Decimoquinto, decimosexto, decimoséptimo, decimoctavo, decimonoveno = 15.º, 16.º, 17.º, 18.º, 19.º
Décima, undécima, duodécima, decimotercera, decimocuarta = 10.ª, 11.ª, 12.ª, 13.ª, 14.ª
Decimoquinta, decimosexta, decimoséptima, decimoctava, decimonovena = 15.ª, 16.ª, 17.ª, 18.ª, 19.ª
Vigésimo, trigésimo, cuadragésimo, quincuagésimo, sexagésimo = 20.º, 30.º, 40.º, 50.º, 60.º`,
  fr: `
Dix, onze, douze, treize, quatorze = 10, 11, 12, 13, 14
Quinze, seize, dix-sept, dix-huit, dix-neuf = 15, 16, 17, 18, 19
Vingt, trente, quarante, cinquante, soixante, soixante-dix = 20, 30, 40, 50, 60, 70
Quatre-vingts, quatre-vingt-dix, septante, huitante, octante, nonante = 80, 90, 70, 80, 80, 90
Dixième, onzième, douzième, treizième, quatorzième = 10e, 11e, 12e, 13e, 14e
Quinzième, seizième, dix-septième, dix-huitième, dix-neuvième = 15e, 16e, 17e, 18e, 19e
Vingtième, trentième, quarantième, cinquantième = 20e, 30e, 40e, 50e
Soixantième, soixante-dixième, quatre-vingtième, quatre-vingt-dixième = 60e, 70e, 80e, 90e`,
  de: `
Zehn, elf, zwölf, dreizehn, vierzehn, fünfzehn = 10, 11, 12, 13, 14, 15
Sechzehn, siebzehn, achtzehn, neunzehn, zwoelf, fuenfzehn = 16, 17, 18, 19, 12, 15
Zwanzig, dreißig, vierzig, fünfzig, sechzig = 20, 30, 40, 50, 60
Siebzig, achtzig, neunzig, dreissig, fuenfzig = 70, 80, 90, 30, 50
Einundzwanzig, zweiunddreißig, dreiundvierzig, vierundfünfzig = 21, 32, 43, 54
Fünfundsechzig, sechsundsiebzig, siebenundachtzig, achtundneunzig = 65, 76, 87, 98
Neunundzwanzig, zwounddreißig = 29, 32
Fünf und zwanzig, ein und dreißig, hundert drei und vierzig = 25, 31, 143
Zwischen fünf und zwanzig Prozent = Zwischen 5 und 20 %
Zehnte, elfte, zwölfte, dreizehnte, siebzehnte, achtzehnte = 10., 11., 12., 13., 17., 18.
Zwanzigste, dreißigste, einundzwanzigste, hundertste = 20., 30., 21., 100.`,
  it: `
Dieci, undici, dodici, tredici, quattordici = 10, 11, 12, 13, 14
Quindici, sedici, diciassette, diciotto, diciannove = 15, 16, 17, 18, 19
Venti, trenta, quaranta, cinquanta = 20, 30, 40, 50
Sessanta, settanta, ottanta, novanta = 60, 70, 80, 90
Ventuno, trentadue, quarantatré, cinquantaquattro, sessantacinque = 21, 32, 43, 54, 65
Settantasei, ottantasette, novantotto, ventinove, ventun = 76, 87, 98, 29, 21
Duecento, trecento, quattrocento, cinquecento = 200, 300, 400, 500
Seicento, settecento, ottocento, novecento = 600, 700, 800, 900
Decimo, undicesimo, dodicesimo, tredicesimo, quattordicesimo = 10º, 11º, 12º, 13º, 14º
Quindicesimo, sedicesimo, diciassettesimo, diciottesimo, diciannovesimo = 15º, 16º, 17º, 18º, 19º
Decima, undicesima, ventesima, trentesima = 10ª, 11ª, 20ª, 30ª
Ventunesima, ventitreesima, ventiseiesima, centesima = 21ª, 23ª, 26ª, 100ª`,
};
