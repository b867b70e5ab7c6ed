import Domain

/// Allergies, conditions, medicines and places of a patient's record, as rows of a list of facts.
struct RecordFacts: Sendable {
    /// Most facts of a kind.
    private static let maximum = 6

    private static let groups: [(title: String, kind: Fact.Kind)] = [
        ("Allergies", .allergy), ("Conditions", .condition), ("Medicines", .medicine), ("Address and places", .place),
    ]

    let facts: [Fact]
    let masking: Masking

    var html: HTML {
        Self.groups.map { title, kind -> HTML in
            let facts = facts.filter { $0.kind == kind }.prefix(Self.maximum).map { masking.words($0.text) }
            guard !facts.isEmpty else { return "" }
            let items = facts.map { "<li><bdi>\($0)</bdi></li>" as HTML }
            return "<dt>\(Wording.say(title))</dt><dd><ul class=\"plain\">\(items)</ul></dd>"
        }.joined
    }
}
