// Sentences of French.
import type { Said } from './said.ts';

export const french: Said = {
  language: 'fr',
  hidden: {
    known: `
ma carte est la card<4532 1488 0343 6464> elle expire en mai
le numéro de carte c'est card<quatre un un un un un un un un un un un un un un un>
le code de sécurité est card<quatre deux un> je crois
vous pouvez me joindre au phone<06 12 34 56 78> le soir
mon téléphone est le phone<zéro six douze trente-quatre cinquante-six soixante-dix-huit> merci
mon numéro de compte est account<77120934> chez vous
mon IBAN est account<FR76 3000 6000 0112 3456 7890 189> voilà
le compte c'est le account<0532 0130 00> à la poste
mon passeport est le account<12 34 56 789> depuis avril
le numéro de sécu est account<1 85 05 75 116 005> je pense
mon portable c'est le phone<07 98 76 54 32> toujours
la carte finit par card<4242> celle que j'ai utilisée
mon compte bancaire account<664422119> à Lyon
mon account number est account<88123409> sur le site
le fax est phone<01 42 68 53 00> au bureau`,
    setAside: `
je paie avec la carte card<5425 2334 3010 9903> s'il vous plaît
la visa est card<4111 1111 1111 1111> d'accord
les trois chiffres sont card<huit zéro sept> derrière
appelez-moi, mon numéro est le phone<06 55 44 33 22> merci
on peut joindre ma femme au phone<03 20 33 44 55> le matin
sur le compte account<6644 2211 90> de la banque
j'ai un compte numéro account<4455667> chez eux
le permis de conduire est account<12AB34567> je crois
le téléphone du bureau est phone<04 91 22 33 44> à Marseille
mon numéro est phone<zéro sept vingt-deux trente-trois quarante-quatre cinquante-cinq> notez
les quatre derniers chiffres sont card<9903> de la carte
le compte se termine par account<8812> oui
votre credit card est card<4242 4242 4242 4242> madame
il compte payer avec la carte card<4242 4242 4242 4242> demain
elle a ouvert un compte account<55 66 77 88> en mars`,
  },
  harmless: {
    known: `
il compte 3 456 789 habitants aujourd'hui
la ville compte 1234567 habitants
le pays compte 1 250 000 chômeurs
le menu à la carte avait 123456789012 lignes
on compte 2345678 visiteurs par an
la ligue compte 1234567 licenciés
nous comptons 1200345 clients en tout
la carte du monde de 1985 et de 1992
le mobile du crime concerne 1234567 euros
le portable coûte entre 1200 et 1300 euros
en fin de compte 7654321 personnes ont voté
il faut tenir compte de 1234567 foyers
le contact a duré 1500 ou 1700 secondes
un grand merci aux 1234567 donateurs
le budget est de 3 456 789 euros`,
    setAside: `
elle compte 47 123 456 abonnés
la région compte environ 2345678 âmes
qui compte 3 400 500 électeurs
le club compte plus de 1234567 membres
on se rend compte que 1234567 foyers attendent
pour le compte de 2345678 actionnaires
un compte rendu de 1200345 mots
la carte postale date de 1914 ou de 1918
à la carte 123456789012 plats étaient proposés
le film a fait 3 400 500 entrées
la ligue a dépensé 2 345 678 euros
le débit était de 9 876 543 litres
le crédit de 1234567 euros est accordé
le maestro a dirigé en 1985 et en 1992
nous avons joint 1234567 foyers`,
  },
};
