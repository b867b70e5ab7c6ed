package import HTTPServing

/// A method and a path with their operation.
package struct Route: Sendable {
    /// HTTP method.
    package let method: HTTPMethod
    /// Path with parameters in braces.
    package let path: String
    /// Operation at this path.
    package let operation: Operation

    package init(_ method: HTTPMethod, _ path: String, _ operation: Operation) {
        self.method = method
        self.path = path
        self.operation = operation
    }
}
