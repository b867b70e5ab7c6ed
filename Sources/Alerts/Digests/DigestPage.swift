import Domain
import Foundation
import Runtime

/// The content of a digest, written as text and as a page.
struct DigestPage {
    /// A heading with its lines.
    struct Section {
        let title: String
        let lines: [String]

        init(_ title: String, _ lines: [String]) {
            self.title = title
            self.lines = lines
        }
    }

    let title: String
    let sections: [Section]
    let foot: String
    let language: String

    /// The plain text.
    var text: String {
        let parts = sections.map { section in
            section.title + "\n" + section.lines.map { "- \($0.oneLine)" }.joined(separator: "\n")
        }
        return ([title.oneLine] + parts + [foot]).joined(separator: "\n\n") + "\n"
    }

    /// The HTML page, without scripts and pictures.
    var html: String {
        let parts = sections.map { section in
            let lines = section.lines.map { "<li>\(Self.escaped($0))</li>" }.joined()
            return "<h2 style=\"font-size:1.1em\">\(Self.escaped(section.title))</h2><ul>\(lines)</ul>"
        }
        return """
            <!doctype html><html lang="\(language)"><head><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width"><title>\(Self.escaped(title))</title></head>\
            <body style="font:1em/1.5 sans-serif;max-width:36em;margin:2em auto;padding:0 1em">\
            <h1 style="font-size:1.4em">\(Self.escaped(title))</h1>\(parts.joined())\
            <p style="color:#555">\(Self.escaped(foot))</p></body></html>
            """
    }

    private static func escaped(_ text: String) -> String {
        text.oneLine.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}

extension String {
    /// The text on one line, without characters that change the direction of reading.
    fileprivate var oneLine: String {
        withoutBidiControls.split { $0.isNewline }.joined(separator: " ")
    }
}
