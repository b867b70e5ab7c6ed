package import Conversation
import HTTPServing

/// One address of the console, with who may use it.
package struct ConsoleRoute: Sendable {
    /// What answers.
    package typealias Handler = @Sendable (ConsoleCall) async throws(ConsoleRefusal) -> ConsoleAnswer

    /// The most bytes of a form where a route sets no other limit.
    package static let formBytes = 64 << 10

    let method: HTTPMethod
    let pattern: String
    let role: Operator.Role
    /// What the audit trail calls a use of it; nil for looking at what is nobody's.
    let action: String?
    let bodyLimit: Int
    /// Whether using it counts as somebody being there.
    let isUse: Bool
    let handler: Handler

    /// Something to look at.
    ///
    /// - Parameters:
    ///   - pattern: The path below `/console`, with parameters in braces: "/turns/{patient}/{message}".
    ///   - role: The least role that may look.
    ///   - action: What the audit trail calls it, for what shows a patient's record; nil to leave no trace.
    ///   - isUse: Whether it keeps the session from growing idle; false for what a page fetches by itself.
    package static func get(
        _ pattern: String,
        _ role: Operator.Role = .viewer,
        action: String? = nil,
        isUse: Bool = true,
        _ handler: @escaping Handler
    ) -> ConsoleRoute {
        ConsoleRoute(
            method: .get,
            pattern: pattern,
            role: role,
            action: action,
            bodyLimit: 0,
            isUse: isUse,
            handler: handler
        )
    }

    /// Something to do, by a form; always leaves a trace, and is not done when that cannot be written.
    ///
    /// - Parameters:
    ///   - role: The least role that may do it; never a viewer.
    ///   - action: What the audit trail calls it: "alert_acknowledge".
    ///   - bodyLimit: The most bytes of the form.
    package static func post(
        _ pattern: String,
        _ role: Operator.Role,
        action: String,
        bodyLimit: Int = ConsoleRoute.formBytes,
        _ handler: @escaping Handler
    ) -> ConsoleRoute {
        precondition(role > .viewer, "a viewer changes nothing")
        return ConsoleRoute(
            method: .post,
            pattern: pattern,
            role: role,
            action: action,
            bodyLimit: bodyLimit,
            isUse: true,
            handler: handler
        )
    }

    /// Something to look at that is asked for by a form, because it stands in no address: changes nothing and leaves no
    /// trace.
    package static func ask(
        _ pattern: String,
        _ role: Operator.Role,
        bodyLimit: Int = ConsoleRoute.formBytes,
        _ handler: @escaping Handler
    ) -> ConsoleRoute {
        ConsoleRoute(
            method: .post,
            pattern: pattern,
            role: role,
            action: nil,
            bodyLimit: bodyLimit,
            isUse: true,
            handler: handler
        )
    }
}
