import HTTPServing
import Runtime

/// The token of a request's `Authorization` field, in the form of RFC 6750, section 2.1.
enum BearerToken {
    private static let maximumBytes = 512

    /// Returns the token of the only field; nil for anything else.
    static func text(_ headers: HeaderFields) -> String? {
        let fields = headers.values("Authorization")
        guard fields.count == 1, let field = fields.first, let space = field.firstIndex(of: " ") else { return nil }
        let token = String(field[field.index(after: space)...].drop { $0 == " " })
        let isBearer = String(field[..<space]).isEqualIgnoringCase(to: "Bearer")
        let limit = JSONWebToken.resembles(token) ? JSONWebToken.maximumBytes : maximumBytes
        guard isBearer, (1...limit).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return token
    }
}
