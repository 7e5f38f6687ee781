// Sentences of English.
import type { Said } from './said.ts';

export const english: Said = {
  language: 'en',
  hidden: {
    known: `
my card number is card<4532 1488 0343 6464> and it expires next May
sure it is card<four one one one one one one one one one one one one one one one>
the security code is card<four two one> I think
you can reach me at phone<415 555 2671> after work
best way to reach us is phone<555 0199 22>
our account number with you is account<77120934>
the sort code is account<20 45 67> at that branch
my social is account<078 05 1120> if you need it
call my husband back on phone<07700 900123> please
text me on phone<646 555 0147> when it is done
my passport is account<53 99 41 207> issued in London
the IBAN would be account<GB29 NWBK 6016 1331 9268 19> okay
it is the visa ending in card<4242> that I used
my cell is phone<three one oh five five five oh one double two>
for the account use account<nine oh two one four four seven> please`,
    setAside: `
I would like to pay with card<5425 2334 3010 9903> please
okay the amex is card<3782 822463 10005> got that
three digits on the back are card<8 0 7> right
her mobile number is phone<07911 123456> and she is in until six
if you need to reach my brother it is phone<212 555 0188>
you might reach them on phone<0161 496 0345> in the morning
routing number account<021000021> for Chase
put it into account account<6644 2211 90> thanks
my driver's license is account<S514 7785 2091> from Illinois
my national insurance is account<QQ 12 34 56 C> they said
fax it over to phone<020 7946 0958> today
give me a ring on phone<oh seven seven double oh nine hundred one two three>
the last four of my card are card<9903> I believe
account ending account<8812> please
her phone is phone<five five five two six seven one> and mine is broken`,
  },
  harmless: {
    known: `
the train does not reach platform 123 4567 times a year as they claim
sales will reach 1250000 units this year
they reach version 2026 04 17 of the software soon
dinner was à la carte and we were 123456 in the queue
the bank account grew by 3 456 789 dollars last year
we took that fact into account for 1234567 households
handy tip number 1234567 on the list
the city has 3 456 789 people in it
we mobile developers shipped build 20260417 on Friday
the credit goes to team 2204 and 1250 volunteers
contact lenses cost between 1200 and 1400 dollars
the maestro conducted in 1985 and in 1992
the blood cell count was 4 500 000 yesterday
on the one hand 1500000 voters stayed home
the wild card round of 2019 had 1234567 viewers`,
    setAside: `
a taxi could not reach building 4410 552 at night
the company hopes to reach 3 400 500 subscribers
by all accounts 1234567 tourists came
on account of the storm 2345678 homes lost power
on that account 7654321 copies were printed
this account of the war covers 1914 and 1918
cell division takes 123 4567 seconds in the lab
he played his trump card in round 1234567
the graphics card has 8192 megabytes and 2560 cores
the mobile home sold for 1350000 dollars
we made contact with object 2456789 in orbit
the report card listed 1200345 pupils
a credit of 1234567 dollars was granted
her visa was issued on 12 04 2026 at gate 45
the debit side shows 9 876 543 euros`,
  },
};
