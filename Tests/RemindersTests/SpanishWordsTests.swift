import Reminders
import Testing

/// Reminders in plain Spanish, said on Tuesday 3 March 2026 at ten in the morning in New York.
@Suite struct SpanishWordsTests {
    @Test(arguments: Rows.read(understood))
    func `plain words are understood and read back`(row: Rows.Row) throws {
        #expect(Rows.reading(of: row.words, .spanish) == row.meaning)
    }

    @Test(arguments: Rows.read(open))
    func `what the words leave open is asked, and other talk makes no reminder`(row: Rows.Row) throws {
        #expect(Rows.reading(of: row.words, .spanish) == row.meaning)
    }

    private static let understood = """
        cada noche a las nueve la pastilla de la tensión
            pastilla de la tensión | medicine | 20260303T210000 DAILY;BYHOUR=21;BYMINUTE=0 | Todos los días a las nueve de la noche: pastilla de la tensión.
        la pastilla de la tensión cada noche a las nueve
            pastilla de la tensión | medicine | 20260303T210000 DAILY;BYHOUR=21;BYMINUTE=0 | Todos los días a las nueve de la noche: pastilla de la tensión.
        recuérdame llamar a Susana mañana a las tres
            llamar a Susana | call | 20260304T150000 | Mañana a las tres de la tarde: llamar a Susana.
        llamar a mi hija el jueves que viene a las cinco de la tarde
            llamar a su hija | call | 20260305T170000 | El jueves 5 de marzo a las cinco de la tarde: llamar a su hija.
        médico el jueves que viene a las diez
            médico | appointment-30 | 20260305T100000 | El jueves 5 de marzo a las diez de la mañana: médico.
        pastillas a las 8 de la noche
            pastillas | medicine | 20260303T200000 | Hoy a las ocho de la noche: pastillas.
        pastillas a las ocho de la tarde
            pastillas | medicine | 20260303T200000 | Hoy a las ocho de la noche: pastillas.
        la insulina dos veces al día a las ocho y a las ocho
            insulina | medicine | 20260303T200000 DAILY;BYHOUR=8,20;BYMINUTE=0 | Todos los días a las ocho de la mañana y a las ocho de la noche: insulina.
        la insulina a las 8 de la mañana y a las 8 de la tarde todos los días
            insulina | medicine | 20260303T200000 DAILY;BYHOUR=8,20;BYMINUTE=0 | Todos los días a las ocho de la mañana y a las ocho de la noche: insulina.
        la pastilla con el desayuno todos los días
            pastilla | medicine | 20260304T080000 DAILY;BYHOUR=8;BYMINUTE=0 | Todos los días a las ocho de la mañana: pastilla.
        la pastilla antes de desayunar todos los días
            pastilla | medicine | 20260304T073000 DAILY;BYHOUR=7;BYMINUTE=30 | Todos los días a las siete y media de la mañana: pastilla.
        en veinte minutos apagar el horno
            apagar el horno | other | 20260303T102000 | Hoy a las diez y veinte de la mañana: apagar el horno.
        dentro de media hora apagar el horno
            apagar el horno | other | 20260303T103000 | Hoy a las diez y media de la mañana: apagar el horno.
        avísame dentro de una hora y media para sacar la ropa
            sacar la ropa | other | 20260303T113000 | Hoy a las once y media de la mañana: sacar la ropa.
        misa los domingos a las once de la mañana
            misa | activity | 20260308T110000 WEEKLY;BYDAY=SU;BYHOUR=11;BYMINUTE=0 | Todos los domingos a las once de la mañana: misa.
        gimnasia los lunes y miércoles a las diez y media de la mañana
            gimnasia | activity | 20260304T103000 WEEKLY;BYDAY=MO,WE;BYHOUR=10;BYMINUTE=30 | Todos los lunes y miércoles a las diez y media de la mañana: gimnasia.
        gimnasia de lunes a viernes a las 10 de la mañana
            gimnasia | activity | 20260304T100000 WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=10;BYMINUTE=0 | De lunes a viernes a las diez de la mañana: gimnasia.
        fisioterapia todos los martes después de comer
            fisioterapia | appointment-30 | 20260303T143000 WEEKLY;BYDAY=TU;BYHOUR=14;BYMINUTE=30 | Todos los martes a las dos y media de la tarde: fisioterapia.
        el primer lunes de cada mes a las diez de la mañana club de lectura
            club de lectura | other | 20260406T100000 MONTHLY;BYDAY=1MO;BYHOUR=10;BYMINUTE=0 | El primer lunes de cada mes a las diez de la mañana: club de lectura.
        el último viernes de mes a las cinco cena con los amigos
            cena con los amigos | meal | 20260327T170000 MONTHLY;BYDAY=-1FR;BYHOUR=17;BYMINUTE=0 | El último viernes de cada mes a las cinco de la tarde: cena con los amigos.
        pagar el alquiler el día 1 de cada mes a las diez de la mañana
            pagar el alquiler | other | 20260401T100000 MONTHLY;BYMONTHDAY=1;BYHOUR=10;BYMINUTE=0 | El día 1 de cada mes a las diez de la mañana: pagar el alquiler.
        análisis el 15 de marzo a las 8:30 de la mañana
            análisis | appointment-30 | 20260315T083000 | El domingo 15 de marzo a las ocho y media de la mañana: análisis.
        análisis el día 15 a las ocho y media de la mañana
            análisis | appointment-30 | 20260315T083000 | El domingo 15 de marzo a las ocho y media de la mañana: análisis.
        cita con la doctora López el martes 10 de marzo a las nueve y cuarto de la mañana
            cita con la doctora López | appointment-30 | 20260310T091500 | El martes 10 de marzo a las nueve y cuarto de la mañana: cita con la doctora López.
        tengo cita con el dentista mañana a las cuatro
            cita con el dentista | appointment-30 | 20260304T160000 | Mañana a las cuatro de la tarde: cita con el dentista.
        tengo que llamar al banco mañana por la mañana a las nueve
            llamar al banco | call | 20260304T090000 | Mañana a las nueve de la mañana: llamar al banco.
        mañana por la tarde a las seis paseo con Ana
            paseo con Ana | activity | 20260304T180000 | Mañana a las seis de la tarde: paseo con Ana.
        pasado mañana a las dos comida con Juan
            comida con Juan | meal | 20260305T140000 | El jueves 5 de marzo a las dos de la tarde: comida con Juan.
        hoy a las siete de la tarde regar las plantas
            regar las plantas | other | 20260303T190000 | Hoy a las siete de la tarde: regar las plantas.
        esta noche a las diez cerrar la puerta
            cerrar la puerta | other | 20260303T220000 | Hoy a las diez de la noche: cerrar la puerta.
        que no se me olvide tomar la pastilla a las nueve de la noche
            pastilla | medicine | 20260303T210000 | Hoy a las nueve de la noche: pastilla.
        no me dejes olvidar la cita del oculista mañana a las once
            cita del oculista | appointment-30 | 20260304T110000 | Mañana a las once de la mañana: cita del oculista.
        ponme un recordatorio para llamar a Pedro a las seis de la tarde
            llamar a Pedro | call | 20260303T180000 | Hoy a las seis de la tarde: llamar a Pedro.
        ¿Puedes recordarme sacar la basura a las 20:00?
            sacar la basura | other | 20260303T200000 | Hoy a las ocho de la noche: sacar la basura.
        beber agua cada dos horas de 9 de la mañana a 9 de la noche
            beber agua | water | 20260303T110000 DAILY;BYHOUR=9,11,13,15,17,19,21;BYMINUTE=0 | Todos los días cada dos horas de las nueve de la mañana a las nueve de la noche: beber agua.
        beber un vaso de agua cada dos horas entre las nueve y las siete
            beber un vaso de agua | water | 20260303T110000 DAILY;BYHOUR=9,11,13,15,17,19;BYMINUTE=0 | Todos los días cada dos horas de las nueve de la mañana a las siete de la tarde: beber un vaso de agua.
        antibiótico cada ocho horas a partir de las seis de la mañana
            antibiótico | medicine | 20260303T140000 DAILY;BYHOUR=6,14,22;BYMINUTE=0 | Cada ocho horas, desde hoy a las dos de la tarde: antibiótico.
        antibiótico todos los días a las 9 de la mañana durante diez días
            antibiótico | medicine | 20260304T090000 DAILY;BYHOUR=9;BYMINUTE=0;UNTIL=20260313T235900 | Todos los días a las nueve de la mañana, hasta el viernes 13 de marzo: antibiótico.
        antibiótico a las 9 de la mañana y a las 9 de la noche por una semana
            antibiótico | medicine | 20260303T210000 DAILY;BYHOUR=9,21;BYMINUTE=0;UNTIL=20260309T235900 | Todos los días a las nueve de la mañana y a las nueve de la noche, hasta el lunes 9 de marzo: antibiótico.
        gotas todos los días a las diez de la mañana hasta el viernes
            gotas | medicine | 20260304T100000 DAILY;BYHOUR=10;BYMINUTE=0;UNTIL=20260306T235900 | Todos los días a las diez de la mañana, hasta el viernes 6 de marzo: gotas.
        regar las plantas cada dos días a las 9 de la mañana
            regar las plantas | other | 20260304T090000 DAILY;INTERVAL=2;BYHOUR=9;BYMINUTE=0 | Cada dos días a las nueve de la mañana, desde mañana: regar las plantas.
        podólogo cada seis semanas los lunes a las 15:00
            podólogo | appointment-30 | 20260309T150000 WEEKLY;INTERVAL=6;BYDAY=MO;BYHOUR=15;BYMINUTE=0 | Cada seis semanas, los lunes a las tres de la tarde, desde el lunes 9 de marzo: podólogo.
        peluquería cada dos meses el día 5 a las 11 de la mañana
            peluquería | appointment-30 | 20260305T110000 MONTHLY;INTERVAL=2;BYMONTHDAY=5;BYHOUR=11;BYMINUTE=0 | Cada dos meses, el día 5 a las once de la mañana, desde el jueves 5 de marzo: peluquería.
        pastilla de la noche a las nueve todos los días
            pastilla de la noche | medicine | 20260303T210000 DAILY;BYHOUR=21;BYMINUTE=0 | Todos los días a las nueve de la noche: pastilla de la noche.
        pastilla de la mañana a las nueve todos los días
            pastilla de la mañana | medicine | 20260304T090000 DAILY;BYHOUR=9;BYMINUTE=0 | Todos los días a las nueve de la mañana: pastilla de la mañana.
        la cena a las ocho todos los días
            cena | meal | 20260303T200000 DAILY;BYHOUR=20;BYMINUTE=0 | Todos los días a las ocho de la noche: cena.
        recuérdame media hora antes la cita con el médico mañana a las tres
            cita con el médico | appointment-30 | 20260304T150000 | Mañana a las tres de la tarde: cita con el médico.
        bingo todos los miércoles por la tarde a las siete
            bingo | activity | 20260304T190000 WEEKLY;BYDAY=WE;BYHOUR=19;BYMINUTE=0 | Todos los miércoles a las siete de la tarde: bingo.
        bingo todas las tardes a las cinco
            bingo | activity | 20260303T170000 DAILY;BYHOUR=17;BYMINUTE=0 | Todos los días a las cinco de la tarde: bingo.
        todas las mañanas a las ocho medirme la tensión
            medirse la tensión | other | 20260304T080000 DAILY;BYHOUR=8;BYMINUTE=0 | Todos los días a las ocho de la mañana: medirse la tensión.
        medicina a las nueve menos cuarto de la noche
            medicina | medicine | 20260303T204500 | Hoy a las nueve menos cuarto de la noche: medicina.
        medicina a las ocho y veinte de la tarde
            medicina | medicine | 20260303T202000 | Hoy a las ocho y veinte de la noche: medicina.
        sintrom a mediodía
            sintrom | medicine | 20260303T120000 | Hoy a las doce del mediodía: sintrom.
        comer a la una y media
            comer | meal | 20260303T133000 | Hoy a la una y media de la tarde: comer.
        despiértame mañana a las siete
            despertarse | other | 20260304T070000 | Mañana a las siete de la mañana: despertarse.
        paseo todos los días después de cenar
            paseo | activity | 20260303T213000 DAILY;BYHOUR=21;BYMINUTE=30 | Todos los días a las nueve y media de la noche: paseo.
        paseo todos los días a las once menos los domingos
            paseo | activity | 20260303T110000 WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA;BYHOUR=11;BYMINUTE=0 | Todos los días menos el domingo a las once de la mañana: paseo.
        llamar a Ana cada semana el domingo a las cuatro
            llamar a Ana | call | 20260308T160000 WEEKLY;BYDAY=SU;BYHOUR=16;BYMINUTE=0 | Todos los domingos a las cuatro de la tarde: llamar a Ana.
        vitamina una vez al día a las 12
            vitamina | medicine | 20260303T120000 DAILY;BYHOUR=12;BYMINUTE=0 | Todos los días a las doce del mediodía: vitamina.
        yoga un martes sí y otro no a las seis de la tarde
            yoga | activity | 20260303T180000 WEEKLY;INTERVAL=2;BYDAY=TU;BYHOUR=18;BYMINUTE=0 | Cada dos semanas, los martes a las seis de la tarde, desde hoy: yoga.
        Milo, por favor, recuérdame tomarme la pastilla a las 9 pm. Gracias.
            pastilla | medicine | 20260303T210000 | Hoy a las nueve de la noche: pastilla.
        acuérdame de comprar pan mañana a las doce
            comprar pan | other | 20260304T120000 | Mañana a las doce del mediodía: comprar pan.
        llamar a Luis de aquí a dos horas
            llamar a Luis | call | 20260303T120000 | Hoy a las doce del mediodía: llamar a Luis.
        pastilla antes de dormir todas las noches
            pastilla | medicine | 20260303T230000 DAILY;BYHOUR=23;BYMINUTE=0 | Todos los días a las once de la noche: pastilla.
        pastilla una hora antes de la cena todos los días
            pastilla | medicine | 20260303T200000 DAILY;BYHOUR=20;BYMINUTE=0 | Todos los días a las ocho de la noche: pastilla.
        fisio el lunes de la semana que viene a las diez
            fisio | appointment-30 | 20260309T100000 | El lunes 9 de marzo a las diez de la mañana: fisio.
        recoger la receta el sábado a las 11 de la mañana
            recoger la receta | other | 20260307T110000 | El sábado 7 de marzo a las once de la mañana: recoger la receta.
        dos pastillas blancas a las 8 de la tarde
            dos pastillas blancas | medicine | 20260303T200000 | Hoy a las ocho de la noche: dos pastillas blancas.
        llamar a mi hermana el 5 de mayo a las 10 de la mañana
            llamar a su hermana | call | 20260505T100000 | El martes 5 de mayo a las diez de la mañana: llamar a su hermana.
        recuérdame que tengo médico el viernes a las once de la mañana
            médico | appointment-30 | 20260306T110000 | El viernes 6 de marzo a las once de la mañana: médico.
        recuérdame que venga el fontanero mañana a las cinco
            venga el fontanero | other | 20260304T170000 | Mañana a las cinco de la tarde: venga el fontanero.
        dime que tome la pastilla a las 9 de la noche
            pastilla | medicine | 20260303T210000 | Hoy a las nueve de la noche: pastilla.
        necesito tomar el sintrom todos los días a las seis de la tarde
            sintrom | medicine | 20260303T180000 DAILY;BYHOUR=18;BYMINUTE=0 | Todos los días a las seis de la tarde: sintrom.
        la pastilla del corazón todas las mañanas a las nueve
            pastilla del corazón | medicine | 20260304T090000 DAILY;BYHOUR=9;BYMINUTE=0 | Todos los días a las nueve de la mañana: pastilla del corazón.
        sacar la basura todas las noches a las diez
            sacar la basura | other | 20260303T220000 DAILY;BYHOUR=22;BYMINUTE=0 | Todos los días a las diez de la noche: sacar la basura.
        sacar al perro a las ocho de la mañana y a las ocho de la tarde todos los días
            sacar al perro | other | 20260303T200000 DAILY;BYHOUR=8,20;BYMINUTE=0 | Todos los días a las ocho de la mañana y a las ocho de la noche: sacar al perro.
        a las cuatro de la tarde recuérdame que llame a mi hermano
            llame a su hermano | call | 20260303T160000 | Hoy a las cuatro de la tarde: llame a su hermano.
        dentista el viernes por la mañana a las 10
            dentista | appointment-30 | 20260306T100000 | El viernes 6 de marzo a las diez de la mañana: dentista.
        cita en el hospital el día doce de marzo a las nueve de la mañana
            cita en el hospital | appointment-30 | 20260312T090000 | El jueves 12 de marzo a las nueve de la mañana: cita en el hospital.
        gotas en los ojos cuatro veces al día a las 8, 12, 16 y 20
            gotas en los ojos | medicine | 20260303T120000 DAILY;BYHOUR=8,12,16,20;BYMINUTE=0 | Todos los días a las ocho de la mañana, a las doce del mediodía, a las cuatro de la tarde y a las ocho de la noche: gotas en los ojos.
        la inyección cada tres días a las diez de la mañana
            inyección | medicine | 20260304T100000 DAILY;INTERVAL=3;BYHOUR=10;BYMINUTE=0 | Cada tres días a las diez de la mañana, desde mañana: inyección.
        en una hora apagar el horno
            apagar el horno | other | 20260303T110000 | Hoy a las once de la mañana: apagar el horno.
        dentro de un cuarto de hora mirar la sopa
            mirar la sopa | other | 20260303T101500 | Hoy a las diez y cuarto de la mañana: mirar la sopa.
        los martes y los jueves a las cinco de la tarde natación
            natación | activity | 20260303T170000 WEEKLY;BYDAY=TU,TH;BYHOUR=17;BYMINUTE=0 | Todos los martes y jueves a las cinco de la tarde: natación.
        los martes a las cinco natación
            natación | activity | 20260303T170000 WEEKLY;BYDAY=TU;BYHOUR=17;BYMINUTE=0 | Todos los martes a las cinco de la tarde: natación.
        el martes que viene a las cinco natación
            natación | activity | 20260310T170000 | El martes 10 de marzo a las cinco de la tarde: natación.
        a la hora de comer la pastilla todos los días
            pastilla | medicine | 20260303T140000 DAILY;BYHOUR=14;BYMINUTE=0 | Todos los días a las dos de la tarde: pastilla.
        después de cenar la pastilla blanca cada noche
            pastilla blanca | medicine | 20260303T213000 DAILY;BYHOUR=21;BYMINUTE=30 | Todos los días a las nueve y media de la noche: pastilla blanca.
        antes de acostarme el colirio
            colirio | medicine | 20260303T230000 | Hoy a las once de la noche: colirio.
        pastilla a las 21:30
            pastilla | medicine | 20260303T213000 | Hoy a las nueve y media de la noche: pastilla.
        pastilla a las 9:30 pm todos los días
            pastilla | medicine | 20260303T213000 DAILY;BYHOUR=21;BYMINUTE=30 | Todos los días a las nueve y media de la noche: pastilla.
        el viernes a mediodía comida con Rosa
            comida con Rosa | meal | 20260306T120000 | El viernes 6 de marzo a las doce del mediodía: comida con Rosa.
        cada lunes por la mañana a las diez pesarme
            pesarse | other | 20260309T100000 WEEKLY;BYDAY=MO;BYHOUR=10;BYMINUTE=0 | Todos los lunes a las diez de la mañana: pesarse.
        de lunes a viernes a las ocho de la mañana desayuno
            desayuno | meal | 20260304T080000 WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=8;BYMINUTE=0 | De lunes a viernes a las ocho de la mañana: desayuno.
        hoy a las 9 de la noche ver la novela
            ver la novela | other | 20260303T210000 | Hoy a las nueve de la noche: ver la novela.
        el partido empieza a las nueve de la noche
            partido empieza | other | 20260303T210000 | Hoy a las nueve de la noche: partido empieza.
        la consulta es el 12 de marzo a las 10
            consulta | appointment-30 | 20260312T100000 | El jueves 12 de marzo a las diez de la mañana: consulta.
        llamar a Pepe a las tres y pico
            llamar a Pepe | call | 20260303T150000 | Hoy a las tres de la tarde: llamar a Pepe.
        llamar a Pepe sobre las cinco
            llamar a Pepe | call | 20260303T170000 | Hoy a las cinco de la tarde: llamar a Pepe.
        tómate la pastilla a las nueve de la noche
            tómate la pastilla | medicine | 20260303T210000 | Hoy a las nueve de la noche: tómate la pastilla.
        a las 8 y a las 20 la pastilla todos los días
            pastilla | medicine | 20260303T200000 DAILY;BYHOUR=8,20;BYMINUTE=0 | Todos los días a las ocho de la mañana y a las ocho de la noche: pastilla.
        el primer martes de mes a las seis de la tarde reunión
            reunión | other | 20260303T180000 MONTHLY;BYDAY=1TU;BYHOUR=18;BYMINUTE=0 | El primer martes de cada mes a las seis de la tarde: reunión.
        reunión de vecinos el próximo lunes a las siete de la tarde
            reunión de vecinos | other | 20260309T190000 | El lunes 9 de marzo a las siete de la tarde: reunión de vecinos.
        la pastilla por la mañana
            pastilla | medicine | 20260304T090000 | Mañana a las nueve de la mañana: pastilla.
        mañana a primera hora llamar al banco
            llamar al banco | call | 20260304T080000 | Mañana a las ocho de la mañana: llamar al banco.
        mañana temprano llamar al banco
            llamar al banco | call | 20260304T080000 | Mañana a las ocho de la mañana: llamar al banco.
        media pastilla a las nueve de la noche
            media pastilla | medicine | 20260303T210000 | Hoy a las nueve de la noche: media pastilla.
        una pastilla y media a las nueve de la noche
            pastilla y media | medicine | 20260303T210000 | Hoy a las nueve de la noche: pastilla y media.
        ponme una alarma a las siete de la mañana
            alarma | other | 20260304T070000 | Mañana a las siete de la mañana: alarma.
        """

    private static let open = """
        gotas tres veces al día con las comidas
            time
        pastillas a las ocho
            half 8
        la pastilla a las nueve todos los días
            half 9
        llamar a Susana mañana
            time
        recuérdame llamar a Susana
            time
        recuérdame mañana a las tres
            what
        recuérdame
            what
        la pastilla dos veces al día
            time
        la pastilla todos los días
            time
        fisio el martes a las tres
            either 20260303 20260310
        regar cada semana a las 9 de la mañana
            weekdays
        vitamina tres veces por semana a las 9 de la mañana
            weekdays
        alquiler cada mes a las 9 de la mañana
            day
        alquiler el día 31 de cada mes a las 9 de la mañana
            lastDay 31
        pastillas a las 8 de la mañana y a las 8 de la tarde
            often
        beber agua cada dos horas
            hours
        beber agua cada cinco minutos
            tooOften
        llamar a Susana hoy a las nueve de la mañana
            past
        llamar a Susana lunes y jueves a las tres
            often
        llamar a Tomás mañana a las tres y a Ana el viernes a las cuatro
            oneAtATime
        llamar a Susana a las tres o a las cuatro
            time
        llamar a Susana más tarde
            time
        llamar a Susana la semana que viene
            day
        cuando llegue a casa recuérdame llamar a Susana
            unclear
        si llueve mañana a las tres llamar a Tomás
            none
        cita el 4/5 a las tres de la tarde
            day
        llamar a Ana el 31 de febrero a las 3 de la tarde
            day
        recuérdame no comer después de las nueve de la noche
            unclear
        el próximo miércoles a las tres dentista
            either 20260304 20260311
        cada hora beber agua
            hours
        pastillas 8
            time
        el primer lunes de marzo a las diez de la mañana club
            day
        médico algún día
            time
        paseo a las seis
            half 6
        llamar a Ana todos los años el 5 de mayo
            time
        fisio cada dos semanas a las tres
            weekdays
        ¿Qué hora es?
            none
        Me tomé la pastilla a las ocho de la tarde
            none
        me caí a las tres
            none
        cancela la pastilla de las ocho de la tarde
            unclear
        no me recuerdes la pastilla a las ocho de la tarde
            unclear
        borra el recordatorio de las 9 de la noche
            unclear
        quiero mucho a mis nietos
            none
        ¿Tomé la pastilla a las ocho?
            none
        ¿Qué tengo hoy?
            none
        ¿Cuándo es mi cita mañana?
            none
        ella viene a las tres
            none
        dormí mal hasta las cuatro
            none
        me duele la cabeza desde esta mañana
            none
        gracias
            none
        buenos días
            none
        hola Milo
            none
        ayer fuimos al parque a las tres
            none
        son las tres de la tarde
            none
        estoy triste esta noche
            none
        no
            none
        ayuda me he caído
            none
        estás muy guapa hoy
            none
        cambia la pastilla a las nueve de la noche
            unclear
        cuéntame un chiste
            none
        cumpleaños de Emma el 20 de junio
            time
        pastilla a las nueve y a las veintiuna
            often
        merienda con Rosa este viernes a las seis
            half 6
        cada 15 días los viernes a las once de la mañana podólogo
            unclear
        el día 1 y el 15 de cada mes a las 9 de la mañana pagar
            unclear
        mi hija viene el sábado a las dos
            unclear
        llamar a Pepe antes de las cinco
            unclear
        regar las plantas martes y viernes a las nueve de la mañana
            often
        """
}
