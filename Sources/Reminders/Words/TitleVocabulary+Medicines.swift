/// Medicines that are known by how their names end: "lisinopril", "amoxicilina".
extension TitleVocabulary {
    /// The shortest name that is known by its ending.
    private static let shortestMedicine = 7

    static func isMedicine(_ word: String) -> Bool {
        word.count >= shortestMedicine && endings.contains { word.hasSuffix($0) }
    }

    /// The endings of the names of common substances, in English and Spanish without accents.
    private static let endings = [
        "pril", "sartan", "statin", "estatina", "olol", "dipine", "dipino", "formin", "formina", "prazole", "prazol",
        "oxacin", "oxacino", "cillin", "cilina", "mycin", "micina", "thyroxine", "tiroxina", "gliptin", "gliptina",
        "zepam", "zolam", "parin", "parina", "xaban", "semide", "semida", "thiazide", "tiazida", "dronate", "dronato",
        "conazole", "conazol", "cycline", "ciclina", "triptan", "lukast", "farin", "profen", "profeno", "cetamol",
        "oxetine", "oxetina", "traline", "tralina", "prednisone", "prednisolone", "prednisona", "nisolona",
    ]
}
