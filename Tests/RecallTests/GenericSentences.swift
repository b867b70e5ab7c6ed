/// Sentences about nothing in particular, whose mean vector centres all others; none occurs in another test.
///
/// They are of the kind that patients say and services answer, in English and Spanish, so that what is taken
/// away is what all of them share. `HEARTH_REWRITE_MEAN=1 swift test --filter 'mean of ordinary sentences'`
/// computes the mean anew and writes it to `Sources/Recall/Embedding/E5Mean.swift`.
enum GenericSentences {
    static let all = english + spanish

    private static let english = [
        "The shop on the corner opens at nine.",
        "It rained for most of the afternoon.",
        "I would like a cup of coffee, please.",
        "They painted the fence green last summer.",
        "The train was a little late this morning.",
        "Somebody left a newspaper on the bench.",
        "We talked for a while and then went home.",
        "The film was longer than I expected.",
        "There is a new bakery near the station.",
        "He said that he would think about it.",
        "The windows need to be cleaned again.",
        "I watched the birds from the balcony.",
        "She bought two tickets for the concert.",
        "The road is closed because of the works.",
        "My watch stopped and I lost track of time.",
        "The soup could do with more salt.",
        "It is getting dark earlier these days.",
        "The neighbours are having a party tonight.",
        "I read a few pages before going to bed.",
        "The bus was full, so we walked instead.",
        "Put the keys on the table by the door.",
        "The lift has been out of order since Monday.",
        "I am not sure what you mean by that.",
        "That sounds nice, tell me a little more.",
        "Good morning, how did you sleep?",
        "Thank you for calling, talk to you later.",
        "Could you say that again more slowly?",
        "The letter came in a long white envelope.",
        "We used to play cards on Sunday evenings.",
        "The flowers in the hall smell lovely.",
        "Everybody laughed when the lights went out.",
        "The tea has gone cold already.",
    ]

    private static let spanish = [
        "La tienda de la esquina abre a las nueve.",
        "Ayer llovió casi toda la tarde.",
        "Quisiera un vaso de agua, por favor.",
        "El autobús venía lleno y fuimos andando.",
        "Dejé las llaves encima de la mesa.",
        "La película fue más larga de lo que pensaba.",
        "Los vecinos han pintado la fachada de blanco.",
        "Hoy anochece más temprano que ayer.",
        "No estoy seguro de lo que quiere decir.",
        "Buenos días, ¿qué tal ha dormido?",
        "Cuénteme un poco más, me gusta escucharle.",
        "El ascensor no funciona desde el lunes.",
        "Leí unas páginas antes de acostarme.",
        "Han abierto una panadería cerca de la estación.",
        "La carretera está cortada por obras.",
        "Compró dos entradas para el concierto.",
        "Las flores del pasillo huelen muy bien.",
        "Se me ha enfriado el café otra vez.",
        "Estuvimos hablando un rato y volvimos a casa.",
        "¿Puede repetirlo un poco más despacio?",
        "Alguien olvidó un periódico en el banco.",
        "Gracias por llamar, hasta luego.",
        "Los domingos jugábamos a las cartas.",
        "La carta llegó en un sobre largo y blanco.",
    ]
}
