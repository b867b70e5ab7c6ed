import Conversation

/// The author's text of a prompt by message, without values.
struct AuthorText {
    /// The text of one message up to the next block or message.
    struct Piece {
        let role: Prompt.Message.Role
        var text: String
        /// The position of the tag before the text.
        let place: SourcePlace
    }

    /// The texts in order, including all branches of choices.
    private(set) var texts: [Piece] = []

    private let template: LinkedTemplate
    private var role = Prompt.Message.Role.user
    private var place: SourcePlace
    private var isOpen = false

    init(_ template: LinkedTemplate) {
        self.template = template
        place = SourcePlace(file: template.template.file, .start)
    }

    /// Reads the template and its partials.
    mutating func read() {
        read(template.template.nodes, of: template.template.file)
    }

    private mutating func read(_ nodes: [TemplateNode], of file: String) {
        for node in nodes {
            switch node {
            case .text(let text): append(text)
            case .value, .json: append("…")
            case .role(let role, let position):
                self.role = role
                begin(file, position)
            case .history(let position), .section(_, _, let position): begin(file, position)
            case .choice(let condition, let then, let otherwise):
                for branch in [then, otherwise] {
                    begin(file, condition.position)
                    read(branch, of: file)
                }
                begin(file, condition.position)
            case .each(let reference, let body, let otherwise):
                for branch in [body, otherwise] {
                    begin(file, reference.position)
                    read(branch, of: file)
                }
                begin(file, reference.position)
            case .partial(let partial):
                guard let inner = template.partials[partial.name] else { continue }
                read(inner.nodes, of: inner.file)
            }
        }
    }

    private mutating func begin(_ file: String, _ position: SourcePosition) {
        place = SourcePlace(file: file, position)
        isOpen = false
    }

    private mutating func append(_ text: String) {
        guard isOpen, !texts.isEmpty else {
            guard !text.allSatisfy(\.isWhitespace) else { return }
            texts.append(Piece(role: role, text: text, place: place))
            isOpen = true
            return
        }
        texts[texts.count - 1].text += text
    }
}
