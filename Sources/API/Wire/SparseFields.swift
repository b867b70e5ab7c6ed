import Runtime

/// Leaves the members out of an answer that the caller did not ask for.
enum SparseFields {
    /// Name of the parameter that lists members.
    static let name = "fields"

    /// Returns the members that a request asks for, with those that are always there.
    static func of(_ item: JSONValue, keeping identities: Set<String>, for call: ValidatedRequest) -> JSONValue {
        guard let asked = call.values[name]?.split(separator: ",").map(String.init),
            case .object(let members) = item
        else { return item }
        return .object(members.filter { asked.contains($0.name) || identities.contains($0.name) })
    }
}
