import Domain
import HTTPServing
import Runtime

/// Finds out who sends a request, by whatever credential it presents.
final class CallerCheck: Sendable {
    private let keys: ServiceKeyCheck
    private let sessions: SessionCheck
    private let devices: DeviceCheck
    private let tokens: AccessTokens
    private let time: any TimeSource

    init(
        keys: ServiceKeyCheck,
        sessions: SessionCheck,
        devices: DeviceCheck,
        tokens: AccessTokens,
        time: any TimeSource
    ) {
        self.keys = keys
        self.devices = devices
        self.sessions = sessions
        self.tokens = tokens
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
            throw .unknownToken
        }
        return Caller(try await sessions.user(of: claims, by: deadline))
    }
}
