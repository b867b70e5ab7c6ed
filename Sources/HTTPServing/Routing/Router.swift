/// Finds the handler of a request by method and path.
///
/// A pattern's segments are literal or a parameter in braces, as in `/patients/{id}/profile`. A literal takes
/// precedence over a parameter. A parameter's value is one non-empty segment.
package struct Router: Sendable {
    /// Answers a request on the connection's event loop; cancelled when the client disconnects.
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// The router's result for a method and a path.
    package enum Match: Sendable {
        /// The route's handler, its parameters' values, its pattern, and the maximum body size in bytes.
        case found(Handler, parameters: [String: String], pattern: String, bodyLimit: Int?)
        /// The path exists for other methods, which `Allow` names.
        case methodNotAllowed([HTTPMethod])
        case notFound

        /// The maximum body size of the route in bytes; nil when it sets no limit, or there is no route.
        package var bodyLimit: Int? {
            if case .found(_, _, _, let limit) = self { limit } else { nil }
        }
    }

    private indirect enum Parameter: Sendable {
        case none
        case named(String, Node)
    }

    private struct Route: Sendable {
        let handler: Handler
        let bodyLimit: Int?
    }

    private struct Node: Sendable {
        var literals: [String: Node] = [:]
        var parameter = Parameter.none
        var routes: [HTTPMethod: Route] = [:]
        var pattern = ""

        /// Returns the route of a method; HEAD uses GET's if there is no own one (RFC 9110, section 9.3.2).
        func route(_ method: HTTPMethod) -> Route? {
            routes[method] ?? (method == .head ? routes[.get] : nil)
        }

        var methods: [HTTPMethod] {
            HTTPMethod.allCases.filter { route($0) != nil }
        }
    }

    private var root = Node()

    package init() {}

    /// Adds a route; a repeated method and pattern traps as a programming error.
    ///
    /// - Parameter bodyLimit: The maximum body size in bytes; nil for the server's limit.
    package mutating func add(
        _ method: HTTPMethod,
        _ pattern: String,
        bodyLimit: Int? = nil,
        _ handler: @escaping Handler
    ) {
        let route = Route(handler: handler, bodyLimit: bodyLimit)
        Self.add(method, pattern, Self.segments(of: pattern)[...], to: &root, route)
    }

    /// Finds the route of a decoded path.
    package func match(_ method: HTTPMethod, _ path: String) -> Match {
        var parameters: [String: String] = [:]
        guard let node = Self.find(Self.segments(of: path)[...], from: root, &parameters) else { return .notFound }
        guard let route = node.route(method) else { return .methodNotAllowed(node.methods) }
        return .found(
            route.handler,
            parameters: parameters,
            pattern: node.pattern,
            bodyLimit: route.bodyLimit
        )
    }

    private static func segments(of path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
            .map { String(Substring($0)) }
    }

    private static func add(
        _ method: HTTPMethod,
        _ pattern: String,
        _ segments: ArraySlice<String>,
        to node: inout Node,
        _ route: Route
    ) {
        guard let segment = segments.first else {
            precondition(node.routes[method] == nil, "two routes answer \(method.rawValue) \(pattern)")
            node.routes[method] = route
            node.pattern = pattern
            return
        }
        guard segment.hasPrefix("{"), segment.hasSuffix("}") else {
            add(method, pattern, segments.dropFirst(), to: &node.literals[segment, default: Node()], route)
            return
        }
        let name = String(segment.dropFirst().dropLast())
        var child = Node()
        if case .named(let known, let existing) = node.parameter {
            precondition(known == name, "\(pattern) calls a parameter \(name) that another route calls \(known)")
            child = existing
        }
        add(method, pattern, segments.dropFirst(), to: &child, route)
        node.parameter = .named(name, child)
    }

    private static func find(
        _ segments: ArraySlice<String>,
        from node: Node,
        _ parameters: inout [String: String]
    ) -> Node? {
        guard let segment = segments.first else { return node.routes.isEmpty ? nil : node }
        if let literal = node.literals[segment], let found = find(segments.dropFirst(), from: literal, &parameters) {
            return found
        }
        guard case .named(let name, let child) = node.parameter, !segment.isEmpty else { return nil }
        guard let found = find(segments.dropFirst(), from: child, &parameters) else { return nil }
        parameters[name] = segment
        return found
    }
}
