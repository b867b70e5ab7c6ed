import Runtime

/// The error word from a provider's error document.
///
/// The provider's message is dropped, because it may quote the prompt and errors are logged.
struct ProviderFailure: Equatable {
    /// The word, at most 64 characters of a plain alphabet; "error" when the document has none.
    let kind: String

    /// Reads a document's error: an object with a type or code, which may be a number, or a plain string.
    init(_ error: JSONValue) {
        let code = error["code"]
        kind = Self.plain(error["type"]?.string ?? code?.string ?? code?.integer.map { String($0) } ?? "error")
    }

    /// Reads the word from an error response's body; empty when it is no error document.
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
