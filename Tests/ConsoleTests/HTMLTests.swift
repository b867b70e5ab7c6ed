import Testing

@testable import Console

@Suite struct HTMLTests {
    /// Texts that would be markup or leave an attribute if they were written as they are.
    static let attacks = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        "</textarea><script>",
        "</title><svg onload=alert(1)>", "&lt;script&gt;", "--><script>", "]]><script>", "`onfocus=alert(1)`",
        "\u{0}<b>",
        "<a href=\"javascript:alert(1)\">", "\u{FF1C}script\u{FF1E}<script>",
    ]

    @Test(arguments: attacks) func `text is never markup, in an element or an attribute`(_ attack: String) {
        let html: HTML = "<p title=\"\(attack)\">\(attack)</p>"
        let inside = html.text.dropFirst("<p title=\"".count).dropLast("</p>".count)
        #expect(!inside.contains("<"))
        #expect(inside.split(separator: "\">", omittingEmptySubsequences: false).count == 2)
        #expect(!inside.contains("'"))
        #expect(!inside.contains("`"))
        #expect(!inside.contains("\u{0}"))
    }

    @Test(arguments: [
        ("a & b", "a &amp; b"), ("1 < 2", "1 &lt; 2"), ("don't", "don&#39;t"), ("&amp;", "&amp;amp;"),
        ("Größe 😀", "Größe 😀"), ("", ""),
    ]) func `text reads as it was written`(_ text: String, _ markup: String) {
        #expect(HTML(text: text).text == markup)
    }

    @Test(arguments: ["\u{202E}", "\u{2067}", "\u{200F}", "\u{061C}"])
    func `a character that turns a line is shown by its name, and a field gives it back`(_ control: String) {
        let name = "Maggie \(control)<b>"
        let html: HTML = "<p title=\"\(name)\">\(name)</p>"
        #expect(!html.text.contains(control) && html.text.contains("Maggie [U+") && !html.text.contains("<b>"))
        #expect(!HTML(text: name).text.contains(control))
        for kind in [Field.Kind.line, .text(rows: 2), .choice([(value: name, name: name)])] {
            let field = Field("f", name, kind, value: name).html.text
            #expect(field.contains("Maggie \(control)&lt;b&gt;") && field.contains("Maggie [U+"))
        }
    }

    @Test func `letters from right to left stay as they are`() {
        #expect(HTML(text: "שלום Maggie شكرا").text == "שלום Maggie شكرا")
    }

    @Test func `markup put into markup stays markup`() {
        let name: HTML = "<b>\("A<")</b>"
        #expect(("<p>\(name)\([name, name])</p>" as HTML).text == "<p><b>A&lt;</b><b>A&lt;</b><b>A&lt;</b></p>")
    }

    @Test(arguments: attacks) func `blocks of a page hold attacks as text`(_ attack: String) {
        var table = Table(attack, columns: [attack])
        table.add("\(attack)")
        let field = Field("f", attack, .text(rows: 2), value: attack, hint: attack)
        let choice = Field("g", attack, .choice([(attack, attack)]), value: attack)
        let badge = Badge(attack, .danger)
        let marked = MarkedText(attack, [.init(0..<4, attack)])
        let page = PageLayout(title: attack, content: HTML(text: attack), notice: Notice(attack))
        for html in [table.html(), field.html, choice.html, badge.html, marked.html, page.html] {
            for sign in ["<script>", "<img", "<svg onload", "onerror=alert(1)>", "\"javascript:", "<b>"] {
                #expect(!html.text.contains(sign), "\(html.text)")
            }
        }
    }

    @Test func `figures stand at the right end of their column, and words at the left`() {
        var table = Table("Times", columns: ["Stage", "Turns", "p95", "Note"])
        table.add("commit", "12", "3.5 s", "late")
        table.add("recall", "7", "–", "12")
        let html = table.html().text
        #expect(html.contains("<th scope=\"col\" class=\"number\">Turns</th>"))
        #expect(html.contains("class=\"number\" data-label=\"p95\">–</td>"))
        #expect(html.contains("<th scope=\"col\">Note</th>") && html.contains("<th scope=\"col\">Stage</th>"))
    }

    @Test(arguments: [
        ("9b2f", "/console/turns/9b2f"), ("a/b", "/console/turns/a%2Fb"),
        ("x\" onclick=\"", "/console/turns/x%22%20onclick%3D%22"), ("?a=b", "/console/turns/%3Fa%3Db"),
    ]) func `a segment of a path is one segment`(_ segment: String, _ path: String) {
        #expect(ConsolePath("turns", segment).description == path)
    }

    @Test(arguments: [
        "", "/", "/consoles", "//evil.example/console", "https://evil.example/console", "/console/\r\nSet-Cookie",
        "/console/a b", "/console/<script>", "javascript:alert(1)", "/api/v1", "/console/\\evil", "/console/a#b",
    ]) func `an address that is not the console's is no path`(_ text: String) {
        #expect(ConsolePath(checking: text) == nil)
    }

    @Test(arguments: ["/console", "/console/live", "/console/turns/a%20b?x=1&y=2", "/console?x"])
    func `an address of the console's is a path`(_ text: String) {
        #expect(ConsolePath(checking: text)?.description == text)
    }
}
