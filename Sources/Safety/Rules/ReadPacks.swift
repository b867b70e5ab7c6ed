import Runtime
import Synchronization

/// Caches recently read packs that passed their examples, for all rule books.
///
/// A draft differs from the active bundle in a few files. Viewing, measuring or activating it reuses the other packs.
final class ReadPacks: Sendable {
    private struct Key: Hashable {
        let source: String
        let cueSource: String
    }

    /// About twice the text of the shipped packs.
    private static let mostBytes = 1 << 20

    /// The cache of the process.
    static let shared = ReadPacks()

    private let packs = Mutex(LeastRecentlyUsed<Key, RuleBook.LoadedPack>())

    /// The cached pack of a text and a language's cues; nil when it was evicted.
    func pack(of source: String, cueSource: String) -> RuleBook.LoadedPack? {
        packs.withLock { $0.use(Key(source: source, cueSource: cueSource)) }
    }

    /// Caches a pack; the least recently used ones are evicted.
    func keep(_ pack: RuleBook.LoadedPack) {
        packs.withLock { packs in
            packs.insert(
                pack,
                for: Key(source: pack.source, cueSource: pack.cueSource),
                cost: pack.source.utf8.count
            )
            packs.evict(to: Self.mostBytes)
        }
    }
}
