/// One labelled control of a form.
package struct Field: Sendable {
    /// What is asked for.
    package enum Kind: Sendable {
        /// A line of text.
        case line
        /// A secret, which is not shown and not kept by the browser's history of forms.
        case secret
        /// Several lines of text.
        case text(rows: Int)
        /// One of some values, each with what it is called.
        case choice([(value: String, name: String)])
    }

    private let name: String
    private let label: String
    private let kind: Kind
    private let value: String
    private let hint: String
    private let isRequired: Bool
    private let mostCharacters: Int

    /// Makes a control.
    ///
    /// - Parameters:
    ///   - name: The field's name in the form, which no other has on the page.
    ///   - hint: A sentence below the label; empty for none.
    package init(
        _ name: String,
        _ label: String,
        _ kind: Kind = .line,
        value: String = "",
        hint: String = "",
        isRequired: Bool = false,
        mostCharacters: Int = 1_000
    ) {
        self.name = name
        self.label = label
        self.kind = kind
        self.value = value
        self.hint = hint
        self.isRequired = isRequired
        self.mostCharacters = mostCharacters
    }

    /// The label and its control.
    package var html: HTML {
        let about: HTML = hint.isEmpty ? "" : "<p class=\"hint\" id=\"hint-\(name)\">\(hint)</p>"
        return "<div class=\"field\"><label for=\"field-\(name)\">\(label)</label>\(about)\(control)</div>"
    }

    private var control: HTML {
        let described: HTML = hint.isEmpty ? "" : " aria-describedby=\"hint-\(name)\""
        let required: HTML = isRequired ? " required" : ""
        let common: HTML = "id=\"field-\(name)\" name=\"\(name)\"\(described)\(required)"
        switch kind {
        case .line:
            return "<input \(common) type=\"text\" maxlength=\"\(mostCharacters)\" value=\"\(HTML(editable: value))\">"
        case .secret: return "<input \(common) type=\"password\" autocomplete=\"off\" maxlength=\"\(mostCharacters)\">"
        case .text(let rows):
            // A line break at the start of a text area's content is not part of it (HTML Standard, section 13.1.2.5).
            return
                "<textarea \(common) rows=\"\(rows)\" maxlength=\"\(mostCharacters)\">\n\(HTML(editable: value))</textarea>"
        case .choice(let options):
            let items = options.map { option in
                let selected: HTML = option.value == value ? " selected" : ""
                return "<option value=\"\(HTML(editable: option.value))\"\(selected)>\(option.name)</option>" as HTML
            }
            return "<select \(common)>\(items)</select>"
        }
    }
}
