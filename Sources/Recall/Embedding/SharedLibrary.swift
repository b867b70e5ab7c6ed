import Foundation

/// Owns a library that was loaded at run time; its functions may be called while it lives.
///
/// `@unchecked Sendable`: the handle is written once, and `dlsym` may be called from any thread.
final class SharedLibrary: @unchecked Sendable {
    private let path: String
    private let handle: UnsafeMutableRawPointer

    /// Loads the library at a path and resolves all its symbols.
    init(_ path: String) throws(EmbeddingError) {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw .libraryUnusable(
                path: path,
                reason: dlerror().map { String(cString: $0) } ?? "no reason given"
            )
        }
        self.path = path
        self.handle = handle
    }

    /// Returns a function by its name; `type` must be its C function pointer type as the library's header declares
    /// it.
    func function<Function>(_ name: String, as type: Function.Type) throws(EmbeddingError) -> Function {
        guard let address = dlsym(handle, name) else { throw .functionMissing(name: name, path: path) }
        return unsafeBitCast(address, to: type)
    }

    deinit { dlclose(handle) }
}
