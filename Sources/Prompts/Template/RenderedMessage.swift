package import Conversation
import Runtime

/// One message of a rendered prompt as a tree that separates the author's text from values.
package struct RenderedMessage: Sendable, Equatable {
    /// One part of a message.
    package indirect enum Segment: Sendable, Equatable {
        /// The author's text.
        case text(String)
        /// A value's text; it is never interpreted.
        case value(String)
        /// A named section; empty when it only marks a place.
        case section(String, [Segment])
    }

    /// The speaker.
    package let role: Prompt.Message.Role
    /// The parts, in order.
    package let segments: [Segment]
    /// True if `{{history}}` inserted it.
    package let isHistory: Bool

    package init(_ role: Prompt.Message.Role, _ segments: [Segment], isHistory: Bool = false) {
        self.role = role
        self.segments = segments
        self.isHistory = isHistory
    }

    /// All of it as one text, as a model gets it: without role tokens, whoever wrote them.
    package var text: String { plainText.withoutRoleTokens }

    /// All of it as it was rendered, role tokens among it.
    var plainText: String {
        var text = ""
        for segment in segments { segment.append(to: &text) }
        return text
    }
}

extension RenderedMessage.Segment {
    /// True if it contains only white space.
    var isBlank: Bool {
        switch self {
        case .text(let text), .value(let text): text.utf8.allSatisfy(\.isBlank)
        case .section(_, let segments): segments.allSatisfy(\.isBlank)
        }
    }

    fileprivate func append(to text: inout String) {
        switch self {
        case .text(let part), .value(let part): text += part
        case .section(_, let segments): for segment in segments { segment.append(to: &text) }
        }
    }
}
