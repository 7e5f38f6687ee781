// Formats and check digits of numbers that identify somebody.

/** ISO/IEC 7812-1, annex B. @param digits nothing else */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = Number(digits.at(-1 - i));
    const weighted = i % 2 === 0 ? digit : digit * 2;
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Ranges of issuers with the lengths of their numbers. */
const cardIssuers: readonly RegExp[] = [
  /^4(\d{12}|\d{15}|\d{18})$/, // Visa
  /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)\d+$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^(30[0-5]|309|36|38|39)\d{11,16}$/, // Diners Club
  /^(6011|64[4-9]|65)\d{12,16}$/, // Discover
  /^35(2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^62\d{14,17}$/, // UnionPay
  /^(50|5[6-9]|6[0-9])\d{10,17}$/, // Maestro
];

export const maxCardDigits = 19;

/** A card's number: an issuer's range and length, and the check digit. */
export function isCardNumber(digits: string): boolean {
  if (!/^\d{12,19}$/.test(digits) || !passesLuhn(digits)) return false;
  if (/^(5[1-5]|2[2-7])/.test(digits)) return digits.length === 16 && cardIssuers[1]!.test(digits);
  return cardIssuers.some((issuer) => issuer.test(digits));
}

/** Lengths of IBANs (ISO 13616 registry) by country. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 ' +
    'DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 ' +
    'IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 ' +
    'MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24 SI19 SK24 ' +
    'SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** ISO 13616: the country's length and the remainder 1 modulo 97. @param text upper case */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(text) || ibanLengths[text.slice(0, 2)] !== text.length)
    return false;
  const moved = text.slice(4) + text.slice(0, 4);
  let remainder = 0;
  for (const character of moved) {
    const value = parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** Length of the IBANs of a country; null for a country without. */
export function ibanLength(country: string): number | null {
  return ibanLengths[country] ?? null;
}

/**
 * A telephone number by its form alone: international, North American, national with a leading
 * zero, or of a Russian mobile with its 7 or 8.
 */
export function isPhoneNumber(digits: string, isInternational: boolean): boolean {
  if (isInternational) return /^\d{8,15}$/.test(digits);
  if (/^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits)) return true;
  if (/^[78]9\d{9}$/.test(digits)) return true;
  return /^0[1-9]\d{7,10}$/.test(digits) || /^00[1-9]\d{8,13}$/.test(digits);
}
