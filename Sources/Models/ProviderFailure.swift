import Foundation

/// What a provider's error document says, of which only the word that names the error is kept.
///
/// The provider's own message is left out: it may quote the prompt, and an error is logged.
struct ProviderFailure: Decodable, Equatable {
    /// The word, at most 64 characters of a plain alphabet; "error" when the document has none.
    let kind: String

    private enum CodingKeys: CodingKey { case type, code }

    /// Hosts differ: an object with a type or a code, which may be a number, or a mere sentence.
    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
            kind = "error"
            return
        }
        let word = try? container.decode(String.self, forKey: .type)
        let code = try? container.decode(String.self, forKey: .code)
        let number = try? container.decode(Int.self, forKey: .code)
        kind = Self.plain(word ?? code ?? number.map { String($0) } ?? "error")
    }

    private struct Document: Decodable {
        let error: ProviderFailure?
    }

    /// The word in the body of an answer with an error status; empty when the body is no error document.
    static func kind(in body: [UInt8]) -> String {
        (try? JSONDecoder().decode(Document.self, from: Data(body)))?.error?.kind ?? ""
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
