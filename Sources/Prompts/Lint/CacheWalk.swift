import Conversation

/// Follows a template in its order and counts the author's text that stands behind a value that changes.
///
/// A provider's cache holds a prompt up to the first token that differs from the last one; the author's text
/// after a value of the turn is paid for in every turn.
struct CacheWalk {
    /// The author's tokens behind the first value of a volatility.
    struct Uncached: Equatable {
        /// The value, as the template names it.
        let value: String
        /// Where it stands.
        let place: SourcePlace
        /// The author's tokens behind it.
        var tokens: Int
    }

    /// What was found, for `patient` and `turn`.
    private(set) var uncached: [Volatility: Uncached] = [:]
    /// The first text of a patient's or somebody else's in the system's message, where it would speak with its authority.
    private(set) var wordsInSystem: (value: String, place: SourcePlace)?
    /// The first value there that the service itself makes for a turn, such as the time of day.
    private(set) var ownValueInSystem: (value: String, place: SourcePlace)?

    private let partials: [String: Template]
    private let volatility: [String: Volatility]
    private let ownValues: Set<String>
    /// How often the elements of each enclosing loop change, the innermost last.
    private var loops: [Volatility] = []
    private var file: String
    private var isInSystem = false

    /// Walks a template whose variables are those of a contract.
    init(_ template: LinkedTemplate, _ contract: PromptContract) {
        partials = template.partials
        volatility = contract.volatility
        ownValues = contract.ownValues
        file = template.template.file
        walk(template.template.nodes)
    }

    private mutating func walk(_ nodes: [TemplateNode]) {
        for node in nodes {
            switch node {
            case .text(let text): count(text)
            case .value(let reference), .json(let reference, _): write(reference)
            case .role(let role, _): isInSystem = role == .system
            case .history(let position): meet(.turn, "history", position)
            case .section(_, let body, _): walk(body)
            case .choice(let condition, let then, let otherwise):
                for case .path(let path) in condition.operands { meet(path, condition.position) }
                walk(longerOf: then, otherwise)
            case .each(let reference, let body, let otherwise):
                meet(reference.path, reference.position)
                loops.append(level(of: reference.path))
                walk(body)
                loops.removeLast()
                walk(otherwise)
            case .partial(let partial): follow(partial)
            }
        }
    }

    private mutating func write(_ reference: TemplateReference) {
        meet(reference.path, reference.position)
        guard isInSystem, level(of: reference.path) > .setting else { return }
        let found = (reference.path.description, SourcePlace(file: file, reference.position))
        if isOwn(reference.path) {
            ownValueInSystem = ownValueInSystem ?? found
        } else {
            wordsInSystem = wordsInSystem ?? found
        }
    }

    /// Whether the service itself makes a value; the elements of lists are always somebody's.
    private func isOwn(_ path: TemplatePath) -> Bool {
        guard case .scope(let outward) = path.start, outward >= loops.count, let name = path.names.first else {
            return false
        }
        return ownValues.contains(name)
    }

    /// Of two branches the one that leaves more uncached counts.
    private mutating func walk(longerOf then: [TemplateNode], _ otherwise: [TemplateNode]) {
        let before = uncached
        walk(then)
        let first = uncached
        uncached = before
        walk(otherwise)
        uncached.merge(first) { $0.tokens >= $1.tokens ? $0 : $1 }
    }

    private mutating func follow(_ partial: TemplatePartial) {
        guard let inner = partials[partial.name] else { return }
        for named in partial.arguments {
            if case .path(let path) = named.operand { meet(path, partial.position) }
        }
        if let path = partial.scope { meet(path, partial.position) }
        let outer = file
        file = inner.file
        walk(inner.nodes)
        file = outer
    }

    /// A name inside a loop is its element's; a name outside is a variable's, and one that is not known is a
    /// setting.
    private func level(of path: TemplatePath) -> Volatility {
        guard case .scope(let outward) = path.start else { return loops.last ?? .setting }
        let place = loops.count - outward
        if place > 0 { return loops[place - 1] }
        return path.names.first.flatMap { volatility[$0] } ?? .setting
    }

    private mutating func meet(_ path: TemplatePath, _ position: SourcePosition) {
        meet(level(of: path), path.description, position)
    }

    private mutating func meet(_ level: Volatility, _ name: String, _ position: SourcePosition) {
        for reached in [Volatility.patient, .turn] where reached <= level && uncached[reached] == nil {
            uncached[reached] = Uncached(value: name, place: SourcePlace(file: file, position), tokens: 0)
        }
    }

    private mutating func count(_ text: String) {
        let tokens = TokenEstimate.tokens(in: text)
        for level in uncached.keys { uncached[level]?.tokens += tokens }
    }
}
