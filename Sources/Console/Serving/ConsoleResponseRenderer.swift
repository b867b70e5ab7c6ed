import Domain
import HTTPServing
import Runtime

/// Renders a page's answer in the layout of a signed-in operator.
struct ConsoleResponseRenderer: Sendable {
    let entry: OperatorAuthenticator.Entry
    let page: any ConsolePage
    let navigation: [PageLayout.Entry]
    let request: HTTPRequest

    func of(_ answer: ConsoleResponse) -> HTTPResponse {
        switch answer {
        case .page(let title, let content, let scripts): return whole(title, content, scripts, status: 200)
        case .invalid(let title, let content, let scripts): return whole(title, content, scripts, status: 422)
        case .fragment(let content): return ResponseFields.page(content)
        case .redirect(let path, let notice):
            var response = HTTPResponse(status: 303, headers: HeaderFields(["Location": path.description]))
            if !notice.isEmpty { response.headers.add("Set-Cookie", Notice(notice).setting) }
            return response
        case .json(let value):
            let headers = HeaderFields(["Content-Type": "application/json"])
            return HTTPResponse(status: 200, headers: headers, body: .bytes(value.bytes))
        case .events(let body):
            let headers = HeaderFields(["Content-Type": "text/event-stream", "X-Accel-Buffering": "no"])
            return HTTPResponse(status: 200, headers: headers, body: .stream(body))
        case .file(let name, let mediaType, let bytes):
            let safe = String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) ? $0 : "_" })
            let headers = HeaderFields([
                "Content-Type": mediaType, "Content-Disposition": "attachment; filename=\"\(safe)\"",
            ])
            return HTTPResponse(status: 200, headers: headers, body: .bytes(bytes))
        }
    }

    func of(_ refusal: ConsoleError) -> HTTPResponse {
        whole("Error", "<p>\(refusal.sentence)</p>", [], status: refusal.status)
    }

    private func whole(_ title: String, _ content: HTML, _ scripts: [Script], status: Int) -> HTTPResponse {
        let notice = Notice(request.headers)
        let layout = PageLayout(
            title: title,
            content: content,
            scripts: scripts,
            notice: notice,
            entries: navigation,
            current: ConsolePath(page.place),
            person: person
        )
        var response = ResponseFields.page(layout.html, status: status)
        if notice != nil { response.headers.add("Set-Cookie", Notice.removal) }
        return response
    }

    private var person: HTML {
        let someone = entry.session.operator
        let token = FormToken.text(for: entry.cookie)
        return """
            <span>\(someone.name), \(someone.role.rawValue)</span><form method="post" action="\(SignInRoutes.out)">\
            <input type="hidden" name="\(FormToken.field)" value="\(token)">\
            <button type="submit" class="plain">Sign out</button></form>
            """
    }
}

/// Layout of every page: head, navigation and main part.
struct PageLayout: Sendable {
    /// An entry of the navigation.
    struct Entry: Sendable {
        let title: String
        let path: ConsolePath
    }

    let title: String
    let content: HTML
    var scripts: [Script] = []
    var notice: Notice?
    /// Entries of the navigation; none before sign-in.
    var entries: [Entry] = []
    /// The current entry of the navigation.
    var current: ConsolePath?
    /// Name of the signed-in operator, and the sign-out button.
    var person: HTML = ""

    var html: HTML {
        """
        <!DOCTYPE html>
        <html lang="en"><head><meta charset="utf-8"><title>\(title) · Hearth</title>\
        <meta name="viewport" content="width=device-width, initial-scale=1">\
        <meta name="color-scheme" content="light dark">\
        <link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath \
        fill='%23b3541e' d='M8 1 1 7.5V15h14V7.5z'/%3E%3C/svg%3E">\
        <link rel="stylesheet" href="\(AssetFiles.style.path)">\(modules)</head>
        <body><a class="skip" href="#main">Skip to the content</a>
        \(header)
        <main id="main" tabindex="-1"><h1>\(title)</h1>\(message)\(content)</main></body></html>
        """
    }

    private var modules: [HTML] {
        ([.console] + scripts).map { "<script type=\"module\" src=\"\($0.file.path)\"></script>" }
    }

    private var message: HTML {
        guard let notice else { return "" }
        return "<p class=\"notice\" role=\"status\">\(notice.text)</p>"
    }

    private var header: HTML {
        guard !entries.isEmpty else { return "<header><p class=\"brand\">Hearth</p></header>" }
        let items = entries.map { entry in
            let mark: HTML = entry.path == current ? " aria-current=\"page\"" : ""
            return "<li><a href=\"\(entry.path)\"\(mark)>\(entry.title)</a></li>" as HTML
        }
        return """
            <header><p class="brand">Hearth</p><nav aria-label="Console"><ul>\(items)</ul></nav>\
            <div class="person">\(person)</div></header>
            """
    }
}
