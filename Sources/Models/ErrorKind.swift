import Foundation

/// The word that names an error in a provider's error document.
///
/// The provider's message is left out: it may quote the prompt, and an error is logged.
enum ErrorKind {
    private struct Document: Decodable {
        struct Failure: Decodable {
            let type: String?
        }

        let error: Failure?
    }

    /// The word; empty when the document has none.
    static func name(in body: [UInt8]) -> String {
        (try? JSONDecoder().decode(Document.self, from: Data(body)))?.error?.type.map { String($0.prefix(64)) } ?? ""
    }
}
