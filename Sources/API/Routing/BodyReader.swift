import HTTPServing
import Runtime

/// Reads and validates the JSON body of a request.
enum BodyReader {
    /// Reads a request's body and checks it against the operation's schema.
    ///
    /// - Throws: ``Refusal/unsupportedMediaType``, ``Refusal/http(_:)`` when it is too large,
    ///   ``Refusal/malformedJSON(_:)`` or ``Refusal/invalid(_:)``, in that order.
    static func read(_ request: HTTPRequest, as body: Operation.Body) throws(Refusal) -> JSONValue {
        guard isJSON(request.headers) else { throw .unsupportedMediaType }
        guard request.body.count <= body.maximumBytes else {
            throw .http(.bodyTooLarge(limit: body.maximumBytes))
        }
        let value: JSONValue
        do throws(JSONFault) {
            value = try JSONReader.read(request.body)
        } catch {
            throw .malformedJSON(error)
        }
        do throws(SchemaFault) {
            try body.schema.check(value)
        } catch {
            throw .invalid(error)
        }
        return value
    }

    /// Returns true when the header declares uncompressed JSON in UTF-8.
    private static func isJSON(_ headers: HeaderFields) -> Bool {
        let types = headers.values("Content-Type")
        guard types.count == 1, let type = types.first, isJSON(type) else { return false }
        return headers.values("Content-Encoding").allSatisfy { $0.isEqualIgnoringCase(to: "identity") }
    }

    private static func isJSON(_ type: String) -> Bool {
        guard !type.isEqualIgnoringCase(to: json) else { return true }
        let parts = type.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        return parts.first?.isEqualIgnoringCase(to: json) ?? false && parts.dropFirst().allSatisfy(isHarmless)
    }

    private static let json = "application/json"

    private static func isHarmless(_ parameter: String) -> Bool {
        let pair = parameter.split(separator: "=", maxSplits: 1).map(trimmed)
        guard let name = pair.first, name.isEqualIgnoringCase(to: "charset") else { return true }
        let charset = pair.count == 2 ? String(pair[1].filter { $0 != "\"" }) : ""
        return charset.isEqualIgnoringCase(to: "utf-8")
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let start = text.drop { $0 == " " || $0 == "\t" }
        let length = start.reversed().drop { $0 == " " || $0 == "\t" }.count
        return String(start.prefix(length))
    }
}
