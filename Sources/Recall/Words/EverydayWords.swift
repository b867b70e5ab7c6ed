import Foundation

/// Function words and everyday words, in English and Spanish, which name nothing.
enum EverydayWords {
    /// Returns whether a word is an everyday word; case and accents do not matter.
    static func contain(_ word: String) -> Bool {
        let isPlain = word.utf8.allSatisfy { $0 < 0x80 }
        let folded =
            isPlain ? word.lowercased() : word.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        return english.contains(folded) || spanish.contains(folded)
    }

    private static let english = words(
        """
        a about after again all also always am an and any anything are around as ask at away back bad be
        because been before being better big bit but by call called came can come could day days did didn do
        does doesn doing don done down each even ever every everything feel feeling few find first for from
        gave get getting give go goes going gone good got great had has have having he hello help her here
        hers hi him his how i if im in into is isn it its just keep know last late later let like little ll
        long look lot made make many may maybe me mean might mine more morning most much must my need never
        new next nice night no not nothing now of off often oh ok okay old on once one only or other our out
        over people please put quite rather re really right said same saw say see she should since so some
        somebody someone something soon still such sure take talk tell than thank thanks that the their them
        then there these they thing things think this those thought time to today told tomorrow too took try
        two under until up us use used ve very want wanted was wasn way we week well went were what when
        where which while who why will with won would year years yes yesterday yet you your yours
        """
    )

    private static let spanish = words(
        """
        a ahi ahora al algo alguien alguna alguno algunos alla alli ante antes aqui asi aun aunque ayer bien
        bueno buena buenos buenas cada casi como con contigo cosa cosas creo cual cuando cuanto da de decir
        del desde despues dia dias dice dije dijo donde dos e el ella ellas ellos en entonces entre era eran
        eres es esa ese eso esos esa esta estaba estado estan estar estas este esto estos estoy fue fueron
        fui gracias gusta ha haber habia hace hacer hacia han hasta hay he hola hoy iba igual ir la las le
        les lo los luego mal manana mas me mejor mi mio mis misma mismo mucha mucho muchos muy nada nadie ni
        no noche nos nosotros nuestra nuestro nunca o otra otro otros para parece pero poco por porque puede
        puedo pues que queria quien quiere quiero sabe se sea ser si siempre sido sin sobre solo son soy su
        sus tal tambien tan tanto tarde te tengo tenia tener ti tiene tienes todavia todo todos toda tu tus
        un una unas uno unos usted va vamos veces ver vez vi voy y ya yo
        """
    )

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
