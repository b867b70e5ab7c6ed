import Domain
import Foundation
import HTTPServing
import Runtime

/// Sign-in and sign-out, the only routes that work without a session.
struct SignInRoutes: Sendable {
    static let out = ConsolePath("sign-out")
    private static let patience = Duration.seconds(5)
    private let requestHandler: ConsoleRequestHandler

    init(_ requestHandler: ConsoleRequestHandler) {
        self.requestHandler = requestHandler
    }

    func show(_ request: HTTPRequest) async -> HTTPResponse {
        page(SignInPage(goal: goal(request.queryValue(SignInPage.goalField))))
    }

    /// Verifies the key.
    ///
    /// There is no session yet to bind a form token to, so the request's origin is checked instead.
    func signIn(_ request: HTTPRequest) async -> HTTPResponse {
        guard SameOriginCheck.isOurs(request.headers) else { return requestHandler.bare(.foreignForm) }
        guard let form = FormBody(request.body) else { return requestHandler.bare(.unreadableForm) }
        let goal = goal(form[SignInPage.goalField])
        do throws(ConsoleError) {
            let deadline = Deadline(after: Self.patience)
            let key = form[SignInPage.keyField]
            switch try await requestHandler.desk.signIn(key, from: address(of: request), by: deadline) {
            case .signedIn(let cookie, let session):
                requestHandler.parts.log.notice("operator_signed_in", "operator_id" ~ session.operator.id.description)
                var response = requestHandler.redirect(to: goal)
                response.headers.add("Set-Cookie", cookie.setting)
                ResponseFields.add(to: &response)
                return response
            case .unknown:
                return page(SignInPage(goal: goal, complaint: "Unknown key. Check that it is complete."), 403)
            case .tooMany(let wait):
                let minutes = Int((wait.seconds / 60).rounded(.up))
                let complaint = "Too many attempts. Try again in \(minutes) \(minutes == 1 ? "minute" : "minutes")."
                var response = page(SignInPage(goal: goal, complaint: complaint), 429)
                response.headers["Retry-After"] = "\(Int(wait.seconds.rounded(.up)))"
                return response
            }
        } catch {
            return requestHandler.bare(error)
        }
    }

    func signOut(_ request: HTTPRequest) async -> HTTPResponse {
        do throws(ConsoleError) {
            let deadline = Deadline(after: Self.patience)
            if let entry = try await requestHandler.desk.entry(request.headers, isUse: true, by: deadline) {
                _ = try ConsoleRequestHandler.form(of: request, entry.cookie)
                try await requestHandler.desk.signOut(entry.session, by: deadline)
            }
            var response = requestHandler.redirect(to: SignInPage.path)
            response.headers.add("Set-Cookie", SessionCookie.removal)
            ResponseFields.add(to: &response)
            return response
        } catch {
            return requestHandler.bare(error)
        }
    }

    private func page(_ page: SignInPage, _ status: Int = 200) -> HTTPResponse {
        ResponseFields.page(PageLayout(title: "Sign in", content: page.html).html, status: status)
    }

    private func goal(_ text: String?) -> ConsolePath {
        text.flatMap { ConsolePath(checking: $0) } ?? requestHandler.home
    }

    /// Client address: the peer, or what the trusted proxy reports.
    private func address(of request: HTTPRequest) -> String {
        guard request.peer == requestHandler.parts.proxy,
            let last = request.headers.values("X-Forwarded-For").last?.split(separator: ",").last
        else { return request.peer }
        return last.trimmingCharacters(in: .whitespaces)
    }
}

/// Sign-in form for an operator's key.
struct SignInPage: Sendable {
    static let path = ConsolePath("sign-in")
    static let keyField = "key"
    static let goalField = "then"

    /// Page to open after sign-in.
    let goal: ConsolePath
    var complaint = ""

    var html: HTML {
        let problem: HTML = complaint.isEmpty ? "" : "<p class=\"problem\" role=\"alert\">\(Wording.say(complaint))</p>"
        let field = Field(
            Self.keyField,
            "Operator key",
            .secret,
            hint: "It was shown once when it was created, and begins with operator_.",
            isRequired: true,
            mostCharacters: 200
        )
        return """
            \(problem)<form method="post" action="\(Self.path)" class="narrow">\
            <input type="hidden" name="\(Self.goalField)" value="\(goal)">\(field.html)\
            <button type="submit">Sign in</button></form>
            """
    }
}
