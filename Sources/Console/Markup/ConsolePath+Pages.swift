import Domain

/// Addresses of pages that other pages link to, and of the actions on them.
extension ConsolePath {
    static let incidents = ConsolePath("incidents")
    static let pulse = ConsolePath("incidents", "pulse")
    static let people = ConsolePath("people")
    static let matrix = ConsolePath("evals", "matrix")
    static let draftCheck = ConsolePath("prompts", "check")

    /// Address of a patient's incident, or of an action on it.
    static func incident(of patient: PatientID, _ action: String? = nil) -> ConsolePath {
        ConsolePath(["incidents", patient.description] + [action].compactMap { $0 })
    }

    /// Address of a patient's page.
    static func patient(_ patient: PatientID) -> ConsolePath { ConsolePath("people", patient.description) }

    /// Address of a fact, or of an action on it.
    static func fact(_ fact: FactID, of patient: PatientID, _ action: String? = nil) -> ConsolePath {
        ConsolePath(["people", patient.description, "facts", fact.description] + [action].compactMap { $0 })
    }

    /// Address of a patient's schedule, or of an action on it.
    static func schedule(of patient: PatientID, _ more: String...) -> ConsolePath {
        ConsolePath(["people", patient.description, "schedule"] + more)
    }

    /// Address of an eval run, or of its comparison with a base.
    static func run(_ name: String, against base: String? = nil, isWhole: Bool = false) -> ConsolePath {
        switch (base, isWhole) {
        case (let base?, true): ConsolePath("evals", name, query: ["base": base, "all": "1"])
        case (let base?, false): ConsolePath("evals", name, query: ["base": base])
        case (nil, true): ConsolePath("evals", name, query: ["all": "1"])
        case (nil, false): ConsolePath("evals", name)
        }
    }

    /// Address of a bundle, or of an action on it.
    static func bundle(_ digest: String, _ action: String? = nil) -> ConsolePath {
        ConsolePath(["prompts", "bundles", String(digest.prefix(12))] + [action].compactMap { $0 })
    }

    /// Address of a bundle with its changes from another one.
    static func bundle(_ digest: String, from base: String) -> ConsolePath {
        ConsolePath("prompts", "bundles", String(digest.prefix(12)), query: ["from": String(base.prefix(12))])
    }

    /// Address of a bundle's file in the editor.
    static func bundle(_ digest: String, file: String) -> ConsolePath {
        ConsolePath("prompts", "bundles", String(digest.prefix(12)), "file", query: ["path": file])
    }
}
