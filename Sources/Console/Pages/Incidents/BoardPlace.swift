/// A page of the board, read from the address, with the links to the pages beside it.
struct BoardPlace: Sendable {
    /// The number of the page, from 1.
    let number: Int
    /// Patients on a page.
    let size: Int
    private let most: Int

    /// Reads the page from `page` of an address; what is no number, or out of bounds, is the nearest page.
    init(_ call: ConsoleRequestContext, size: Int, most: Int) {
        self.init(call.query("page"), size: size, most: most)
    }

    init(_ page: String?, size: Int, most: Int) {
        number = min(max(1, page.flatMap { Int($0) } ?? 1), most)
        self.size = size
        self.most = most
    }

    /// The number of patients on the pages before.
    var skipped: Int { (number - 1) * size }

    /// The address of this page below some segments.
    func path(_ segments: String..., page: Int? = nil) -> ConsolePath {
        let page = page ?? number
        return ConsolePath(segments, query: page == 1 ? [:] : ["page": "\(page)"])
    }

    /// Shown patients and their total, with links to the others; nil when all are shown.
    func links(of patients: Int, isWall: Bool) -> HTML? {
        guard patients > size || number > 1 else { return nil }
        func link(_ title: String, to page: Int) -> HTML {
            let path = isWall ? path("incidents", "wall", page: page) : path("incidents", page: page)
            return "<a class=\"button plain small\" href=\"\(path)\">\(Wording.say(title))</a>"
        }
        let last = min(skipped + size, patients)
        let range =
            skipped < patients
            ? "Patients \(skipped + 1) to \(last) of \(patients), the gravest first."
            : "This page of the board is empty now."
        let back = number > 1 ? link("Graver ones", to: number - 1) : HTML.none
        let on = last < patients && number < most ? link("Less grave ones", to: number + 1) : HTML.none
        return "<p class=\"buttons\"><b>\(Wording.say(range))</b>\(back)\(on)</p>"
    }
}
