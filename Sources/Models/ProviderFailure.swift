import Runtime

/// What a provider's error document says, of which only the word that names the error is kept.
///
/// The provider's own message is left out: it may quote the prompt, and an error is logged.
struct ProviderFailure: Equatable {
    /// The word, at most 64 characters of a plain alphabet; "error" when the document has none.
    let kind: String

    /// Reads the error of a document: an object with a type or a code, which may be a number, or a mere sentence.
    init(_ error: JSONValue) {
        let code = error["code"]
        kind = Self.plain(error["type"]?.string ?? code?.string ?? code?.integer.map { String($0) } ?? "error")
    }

    /// The word in the body of an answer with an error status; empty when the body is no error document.
    static func kind(in body: [UInt8]) -> String {
        guard let error = (try? JSONReader.read(body))?["error"], !error.isNull else { return "" }
        return ProviderFailure(error).kind
    }

    private static func plain(_ word: String) -> String {
        String(
            word.unicodeScalars.prefix(64).map { $0.isASCII && $0.properties.isAlphabetic ? Character($0) : other($0) }
        )
    }

    private static func other(_ scalar: Unicode.Scalar) -> Character {
        ("0"..."9").contains(scalar) || scalar == "-" || scalar == "." ? Character(scalar) : "_"
    }
}
