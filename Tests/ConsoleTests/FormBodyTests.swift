import Testing

@testable import Console

@Suite struct FormBodyTests {
    @Test(arguments: [
        ("a=1&b=2", "a", "1"), ("a=x+y%21", "a", "x y!"), ("a=%F0%9F%98%80", "a", "😀"), ("a=1&a=2", "a", "1"),
        ("a", "a", ""), ("", "a", ""), ("a=%20%20b%0D%0A", "a", "b"), ("a=b=c", "a", "b=c"), ("%61=1", "a", "1"),
    ]) func `a field is read`(_ body: String, _ name: String, _ value: String) throws {
        let form = try #require(FormBody(Array(body.utf8)))
        #expect(form[name] == value)
    }

    @Test(arguments: ["a=%", "a=%2", "a=%GG", "a=%FF", "%C3=1", "a=%C0%80", "a=%ED%A0%80"])
    func `what is no form is refused`(_ body: String) {
        #expect(FormBody(Array(body.utf8)) == nil)
    }

    @Test func `a form has a bound on its fields`() {
        let fields = { (count: Int) in Array(repeating: "a=1", count: count).joined(separator: "&") }
        #expect(FormBody(Array(fields(500).utf8)) != nil)
        #expect(FormBody(Array(fields(501).utf8)) == nil)
    }

    @Test func `line breaks of a text are single`() throws {
        let form = try #require(FormBody(Array("t=a%0D%0Ab%0D%0A".utf8)))
        #expect(form.whole("t") == "a\nb\n")
        #expect(form.all("t") == ["a\r\nb\r\n"])
    }
}
