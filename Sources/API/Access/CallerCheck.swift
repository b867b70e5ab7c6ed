import Domain
import HTTPServing
import Runtime

/// Finds out who sends a request, by whatever credential it presents.
final class CallerCheck: Sendable {
    private let keys: ServiceKeyCheck
    private let sessions: SessionCheck
    private let devices: DeviceCheck
    private let tokens: AccessTokens
    private let providers: ProviderSignIn?
    private let time: any TimeSource

    init(
        keys: ServiceKeyCheck,
        sessions: SessionCheck,
        devices: DeviceCheck,
        tokens: AccessTokens,
        providers: ProviderSignIn?,
        time: any TimeSource
    ) {
        self.keys = keys
        self.devices = devices
        self.sessions = sessions
        self.tokens = tokens
        self.providers = providers
        self.time = time
    }

    /// Returns who sends a request.
    ///
    /// - Throws: ``APIError/noKey``, ``APIError/unknownKey``, ``APIError/unknownToken``, or the failure of the records.
    func caller(of request: HTTPRequest, by deadline: Deadline) async throws(APIError) -> Caller {
        guard let token = BearerToken.text(request.headers) else { throw .noKey }
        if token.hasPrefix(DeviceCheck.prefix) { return Caller(try await devices.device(token, by: deadline)) }
        guard JSONWebToken.resembles(token) else { return Caller(try await keys.key(token, by: deadline)) }
        let claims: AccessTokens.Claims
        do throws(TokenFault) {
            claims = try tokens.claims(of: token, at: time.date)
        } catch {
            // A token under another key may be a provider's; one under the service's own key is nobody else's.
            guard let providers, error == .unknownKey || error == .wrongAlgorithm else { throw .unknownToken }
            return try await providers.caller(of: token, by: deadline)
        }
        return Caller(try await sessions.user(of: claims, by: deadline))
    }
}

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
