/// Sign-in form for an operator's key.
struct SignInPage: Sendable {
    static let path = ConsolePath("sign-in")
    static let keyField = "key"
    static let goalField = "then"

    /// Page to open after sign-in.
    let goal: ConsolePath
    var complaint = ""

    var html: HTML {
        let problem: HTML = complaint.isEmpty ? "" : "<p class=\"problem\" role=\"alert\">\(complaint)</p>"
        let field = Field(
            Self.keyField,
            "Operator key",
            .secret,
            hint: "You were given it once; it begins with operator_.",
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
