// Sentences of Portuguese.
import type { Said } from './said.ts';

export const portuguese: Said = {
  language: 'pt',
  hidden: {
    known: `
o meu cartão é o card<4532 1488 0343 6464> e vence em maio
o número do cartão é card<quatro um um um um um um um um um um um um um um um>
o código de segurança é card<quatro dois um> acho
pode me ligar no phone<11 98765 4321> à noite
meu telefone é phone<nove um dois três quatro cinco seis sete oito> obrigado
o número da conta é account<77120934> com vocês
o IBAN é account<PT50 0002 0123 1234 5678 9015 4> certo
a conta é account<664422119> no banco
o meu passaporte é account<531207944> desde abril
o CPF é account<123 456 789 09> por favor
o meu telemóvel é o phone<912 34 56 78> sempre
o cartão termina em card<4242> aquele que usei
o account number é account<88123409> no site
o contato é phone<21 3344 5566> no escritório
o fax é phone<213 456 789> em Lisboa`,
    setAside: `
quero pagar com o cartão card<5425 2334 3010 9903> por favor
o visa é card<4111 1111 1111 1111> isso
os três dígitos são card<oito zero sete> atrás
me liga no phone<21 99887 7665> quando puder
o telefone dela é phone<22 555 66 77> no Porto
na conta account<6644 2211 90> do banco
tenho uma conta número account<4455667> aí
a carta de condução é account<L 1234567 8> creio
ligue para mim no phone<31 98877 6655> hoje
meu número é phone<nove nove oito vinte trinta quarenta cinquenta> anote
os últimos quatro dígitos são card<9903> do cartão
a conta termina em account<8812> sim
o credit card é card<4242 4242 4242 4242> senhora
a conta que abri é account<55 66 77 88> em março
o celular do meu filho é phone<51 97766 5544> novo`,
  },
  harmless: {
    known: `
a cidade conta com 3 456 789 habitantes hoje
o país conta com 1234567 desempregados
o livro conta 1234567 histórias
dei-me conta de 2345678 erros no texto
mandei uma carta com 123456789012 letras
o maestro regeu em 1985 e em 1992
a liga teve 1234567 espectadores
o quarto lugar tem 1234567 pontos
o orçamento é de 3 456 789 reais
o telefone custa entre 1200 e 1300 reais
na conta há 1 250 000 reais
o contato durou 1500 ou 1700 segundos
temos 1200345 clientes na lista
no fim das contas 7654321 pessoas votaram
é preciso ter em conta 1234567 famílias`,
    setAside: `
o clube conta 47 123 456 adeptos
a região conta cerca de 2345678 almas
que conta 3 400 500 eleitores
leve em conta que 1234567 casas não têm luz
por conta de 2345678 acionistas
por conta da chuva 1200345 casas ficaram sem luz
a carta do rei é de 1914 ou de 1918
uma carta de vinhos com 123456789012 linhas
o filme teve 3 400 500 espectadores
a liga gastou 2 345 678 euros
o débito é de 9 876 543 euros
o crédito de 1234567 euros foi dado
a célula mede entre 1200 e 1300 unidades
eles ligam 1234567 vezes por ano
faz de conta que 1234567 pessoas vieram`,
  },
};
