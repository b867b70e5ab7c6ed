import Conversation

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
