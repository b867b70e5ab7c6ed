import Conversation
import Foundation
import HTTPServing
import Runtime

/// Sign-in and sign-out, the only routes that work without a session.
struct SignInRoutes: Sendable {
    static let out = ConsolePath("sign-out")
    private static let patience = Duration.seconds(5)
    private let reception: ConsoleReception

    init(_ reception: ConsoleReception) {
        self.reception = reception
    }

    func show(_ request: HTTPRequest) async -> HTTPResponse {
        page(SignInPage(goal: goal(request.queryValue(SignInPage.goalField))))
    }

    /// Verifies the key.
    ///
    /// There is no session yet to bind a form token to, so the request's origin is checked instead.
    func signIn(_ request: HTTPRequest) async -> HTTPResponse {
        guard RequestOrigin.isOurs(request.headers) else { return reception.bare(.foreignForm) }
        guard let form = FormBody(request.body) else { return reception.bare(.unreadableForm) }
        let goal = goal(form[SignInPage.goalField])
        do throws(ConsoleRefusal) {
            let deadline = Deadline(after: Self.patience)
            let key = form[SignInPage.keyField]
            switch try await reception.desk.signIn(key, from: address(of: request), by: deadline) {
            case .signedIn(let cookie, let session):
                reception.parts.log.notice("operator_signed_in", "operator_id" ~ session.operator.id.description)
                var response = reception.redirect(to: goal)
                response.headers.add("Set-Cookie", cookie.setting)
                ResponseFields.add(to: &response)
                return response
            case .unknown:
                return page(SignInPage(goal: goal, complaint: "This key is not known. Look whether it is whole."), 403)
            case .tooMany(let wait):
                let minutes = Int((wait.seconds / 60).rounded(.up))
                let complaint = "Too many attempts. Try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")."
                var response = page(SignInPage(goal: goal, complaint: complaint), 429)
                response.headers["Retry-After"] = "\(Int(wait.seconds.rounded(.up)))"
                return response
            }
        } catch {
            return reception.bare(error)
        }
    }

    func signOut(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ConsoleRefusal) {
            let deadline = Deadline(after: Self.patience)
            if let entry = try await reception.desk.entry(request.headers, isUse: true, by: deadline) {
                _ = try ConsoleReception.form(of: request, entry.cookie)
                try await reception.desk.signOut(entry.session, by: deadline)
            }
            var response = reception.redirect(to: SignInPage.path)
            response.headers.add("Set-Cookie", SessionCookie.removal)
            ResponseFields.add(to: &response)
            return response
        } catch {
            return reception.bare(error)
        }
    }

    private func page(_ page: SignInPage, _ status: Int = 200) -> HTTPResponse {
        ResponseFields.page(PageLayout(title: "Sign in", content: page.html).html, status: status)
    }

    private func goal(_ text: String?) -> ConsolePath {
        text.flatMap { ConsolePath(checking: $0) } ?? reception.home
    }

    /// Client address: the peer, or what the trusted proxy reports.
    private func address(of request: HTTPRequest) -> String {
        guard request.peer == reception.parts.proxy,
            let last = request.headers.values("X-Forwarded-For").last?.split(separator: ",").last
        else { return request.peer }
        return last.trimmingCharacters(in: .whitespaces)
    }
}
