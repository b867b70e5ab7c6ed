import Domain
import QRCode

/// Setup of an authenticator app: the QR code, the secret, and the form for the first code.
struct FactorView: Sendable {
    let offer: FactorOffer

    /// The steps with their form.
    ///
    /// - Parameter hidden: Further hidden fields of the form.
    func html(to path: ConsolePath, _ hidden: HTML) -> HTML {
        let code = Field(
            SignInPage.codeField,
            "Code",
            hint: "Six digits that the app shows now.",
            isRequired: true,
            mostCharacters: 20
        )
        return """
            <p>Your account needs an authenticator app, such as Google Authenticator or 1Password.</p>\
            <ol class="steps"><li>Scan this picture with the app.\(picture)\
            <details><summary>Type a secret instead</summary><p><code class="secret">\(groups)</code></p></details></li>\
            <li>Enter the code that the app shows. You have five minutes.\
            <form method="post" action="\(path)" class="narrow">\(hidden)\
            <input type="hidden" name="\(SignInPage.setUpField)" value="\(HTML(editable: offer.token))">\
            \(code.html)<button type="submit">Finish</button></form></li></ol>
            """
    }

    /// The back-up codes, which are shown once.
    static func codes(_ codes: [String], then goal: ConsolePath) -> HTML {
        let items = codes.map { "<li><code>\($0)</code></li>" as HTML }
        return """
            <p class="notice" role="status">Your authenticator app is set up.</p><h2>Back-up codes</h2>\
            <p>Print or write down these codes now; they are not shown again. Each opens your account once when the app is lost.</p>\
            <ul class="plain codes">\(items)</ul><p><a class="button" href="\(goal)">I have saved the codes</a></p>
            """
    }

    /// The dark squares of the QR code, one path for all.
    private var picture: HTML {
        guard let code = QRCode(offer.uri) else { return "" }
        let size = code.side + 8
        var path = ""
        for (index, isDark) in code.isDark.enumerated() where isDark {
            path += "M\(index % code.side + 4) \(index / code.side + 4)h1v1h-1z"
        }
        return """
            <svg class="qr" role="img" aria-label="QR code" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(size)v\(size)H0z"/><path fill="#000" d="\(path)"/></svg>
            """
    }

    /// The secret in groups of four letters.
    private var groups: String {
        let letters = Array(offer.secret)
        return stride(from: 0, to: letters.count, by: 4)
            .map { String(letters[$0..<min($0 + 4, letters.count)]) }.joined(separator: " ")
    }
}
