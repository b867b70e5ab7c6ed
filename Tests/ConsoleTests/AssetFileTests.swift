import Testing

@testable import Console

/// The style sheet and the scripts as they are sent.
@Suite struct AssetFileTests {
    @Test func `comments and indentation are not sent, and everything else is`() {
        let source = """
            // What follows is common.
            /** Two
             * lines. */
            const path = "https://example.org"; // kept, with its line

              if (path) {
                /* One line. */
                go(path);
              }
            .a { color: red; } /* kept too */
            """
        let sent = String(decoding: AssetFile.withoutComments(Array(source.utf8)), as: UTF8.self)
        let kept = [
            "const path = \"https://example.org\"; // kept, with its line", "if (path) {", "go(path);", "}",
            ".a { color: red; } /* kept too */",
        ]
        #expect(sent == kept.joined(separator: "\n"))
    }

    @Test func `a style sheet is sent without the space that only people read`() {
        let sheet = """
            .a, .b:not(.c) { color: red; content: "→ "; }
            @media (min-width: 60rem) {
            .a > b { margin: calc(1rem - 2px) 0; }
            }
            """
        let sent = String(decoding: AssetFile.squeezed(Array(sheet.utf8)), as: UTF8.self)
        let media = "@media (min-width:60rem){.a > b{margin:calc(1rem - 2px) 0}}"
        #expect(sent == ".a,.b:not(.c){color:red;content:\"→ \"}\(media)")
    }

    @Test func `each script and the style sheet are smaller than they are written, and none is empty`() {
        for file in Script.allCases.map(\.file) + [AssetFiles.style] {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(text.count > 300 && !text.contains("\n ") && !text.contains("\n//"), "\(file.name)")
        }
    }
}
