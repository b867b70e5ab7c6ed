import Synchronization

/// Computes vectors from tokens with the widest instructions of the processor.
///
/// Calls the functions of `Engine/vectors.h`, in the same library as e5.c. The results equal those of e5.c, in a
/// tenth of the time.
///
/// `@unchecked Sendable`: the engine is only read once it is open, and one thread at a time uses a workspace.
final class E5Kernel: @unchecked Sendable {
    private typealias Open = @convention(c) (OpaquePointer?, UnsafePointer<CChar>?) -> OpaquePointer?
    private typealias Close = @convention(c) (OpaquePointer?) -> Void
    private typealias Name = @convention(c) (OpaquePointer?) -> UnsafePointer<CChar>
    private typealias MakeSpace = @convention(c) (CInt) -> OpaquePointer?
    private typealias Embed =
        @convention(c) (
            OpaquePointer?, OpaquePointer?, UnsafePointer<CInt>, UnsafePointer<CInt>, CInt, UnsafeMutablePointer<Float>
        ) -> CInt

    /// Memory for one pass.
    private struct Space: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// The name of the instruction set: `avx512-vnni`, `avx-vnni` or `avx2`.
    let name: String

    private let library: SharedLibrary
    private let engine: OpaquePointer
    private let close: Close
    private let makeSpace: MakeSpace
    private let freeSpace: Close
    private let embed: Embed
    private let idle = Mutex<[Space]>([])

    /// Arranges a model's weights for the processor; returns nil when the processor has none of the instructions.
    ///
    /// Blocks for 15 ms.
    init?(
        _ library: SharedLibrary,
        model: OpaquePointer,
        choice: EmbeddingSettings.Kernel
    ) throws(EmbeddingError) {
        let open = try library.function("vectors_open", as: Open.self)
        let name = try library.function("vectors_kernel", as: Name.self)
        close = try library.function("vectors_close", as: Close.self)
        makeSpace = try library.function("vectors_space_make", as: MakeSpace.self)
        freeSpace = try library.function("vectors_space_free", as: Close.self)
        embed = try library.function("vectors_embed", as: Embed.self)
        let opened: OpaquePointer? =
            switch choice {
            case .best: open(model, nil)
            case .named(let name): open(model, name)
            case .none: nil
            }
        guard let opened else { return nil }
        self.library = library
        engine = opened
        self.name = String(cString: name(opened))
    }

    /// Returns the vector of a text's tokens, of unit length; nil when memory is short or there are too many tokens.
    ///
    /// Blocks for about 0.15 ms a token on one thread; several threads may call at once.
    func vector(of tokens: [CInt]) -> [Float]? {
        guard let space = takeSpace() else { return nil }
        defer { idle.withLock { $0.append(space) } }
        var vector = [Float](repeating: 0, count: E5Space.dimension)
        let count = CInt(tokens.count)
        let status = withUnsafePointer(to: count) { embed(engine, space.pointer, tokens, $0, 1, &vector) }
        return status == 0 ? vector : nil
    }

    private func takeSpace() -> Space? {
        if let space = idle.withLock({ $0.popLast() }) { return space }
        return makeSpace(CInt(E5Space.maximumInputTokens)).map(Space.init)
    }

    deinit {
        for space in idle.withLock({ $0 }) { freeSpace(space.pointer) }
        close(engine)
    }
}
