// Sentences of Spanish.
import type { Said } from './said.ts';

export const spanish: Said = {
  language: 'es',
  hidden: {
    known: `
mi tarjeta es la card<4532 1488 0343 6464> y caduca en mayo
el número de la tarjeta es card<cuatro uno uno uno uno uno uno uno uno uno uno uno uno uno uno uno>
el código de seguridad es card<cuatro dos uno> creo
me puede llamar al phone<612 345 678> por la tarde
mi teléfono es el phone<seis uno dos tres cuatro cinco seis siete ocho> gracias
mi número de cuenta es account<77120934> con ustedes
el IBAN es account<ES91 2100 0418 4502 0005 1332> de acuerdo
mi DNI es el account<12345678> de Madrid
mi pasaporte es account<531207944> desde abril
la seguridad social es account<28 1234567 40> me parece
el celular de mi esposa es phone<555 123 4567> por favor
la tarjeta termina en card<4242> la que usé
para contacto mi móvil es phone<699 11 22 33> siempre
localíceme en el phone<93 412 33 44> por las mañanas
mi account number es account<88123409> en la app`,
    setAside: `
quiero pagar con la tarjeta card<5425 2334 3010 9903> por favor
la visa es card<4111 1111 1111 1111> vale
los tres dígitos son card<ocho cero siete> detrás
llámeme al phone<655 44 33 22> cuando pueda
su teléfono es phone<91 555 66 77> en la oficina
la cuenta es account<6644 2211 90> del banco
mi NIE es account<X1234567L> desde hace un año
el permiso de conducir es account<4455667 8> de tráfico
el fax es el phone<952 33 44 55> de Málaga
mi número es phone<seiscientos doce treinta y cuatro cincuenta y seis setenta y ocho> apunte
los últimos cuatro dígitos son card<9903> de la tarjeta
la cuenta acaba en account<8812> sí
me localizan en el phone<644 556 677> a cualquier hora
mi credit card es card<4242 4242 4242 4242> si la necesita
el WhatsApp es phone<688 77 66 55> escríbame`,
  },
  harmless: {
    known: `
le mandé una carta con 123456789012 palabras
la ciudad cuenta con 3 456 789 habitantes según el censo
el libro cuenta 1234567 historias de la guerra
la liga tuvo 1234567 espectadores este año
mi maestro nació en 1955 y murió en 1998
mis hermanos y yo contamos 2345678 pasos
se dio cuenta de 1234567 errores en el texto
el presupuesto es de 3 456 789 euros
son 123456 mil personas en la plaza
el saldo de la cuenta es 1 250 000 pesos
hay 1200345 clientes en la lista
el portable de prueba pesa 1250 gramos o 1300
tuvo contacto con 1234567 votantes
el cap de la serie 2019 fue en 2020
la cara de la montaña mide 2345678 metros`,
    setAside: `
la carta del rey tiene 123456789012 letras
el país cuenta con 47 123 456 habitantes
tenga en cuenta que 1234567 hogares no tienen luz
nos cuenta que en 1939 y 1945 hubo hambre
la liga gastó 2 345 678 euros
el maestro tuvo 1234567 lectores
una celular de cáncer mide entre 1200 y 1300
me costó 300 euros en 2019 el móvil
se vendieron 3 400 500 móviles
el crédito fue de 1234567 dólares
el débito muestra 9 876 543 euros
la empresa llegó a 1500000 usuarios
visa para 1200345 personas dieron
por su cuenta hizo 7654321 copias
a fin de cuentas 2345678 personas votaron`,
  },
};
