package import HTTPServing

/// A method and a path with what answers there.
package struct Route: Sendable {
    /// The method.
    package let method: HTTPMethod
    /// The path, its parameters in braces.
    package let path: String
    /// What answers.
    package let operation: Operation

    /// Makes a route.
    package init(_ method: HTTPMethod, _ path: String, _ operation: Operation) {
        self.method = method
        self.path = path
        self.operation = operation
    }
}
