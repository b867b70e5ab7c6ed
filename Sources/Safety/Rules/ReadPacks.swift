import Runtime
import Synchronization

/// The packs that were last read and proved on their examples, whichever book they were read for.
///
/// A draft differs from the bundle in force in a file or two: the rest need not be read again to look at it, to measure it
/// or to put it in force.
final class ReadPacks: Sendable {
    private struct Key: Hashable {
        let source: String
        let cueSource: String
    }

    /// Some two times the text of the packs that come with the service.
    private static let mostBytes = 1 << 20

    /// Those of the process.
    static let shared = ReadPacks()

    private let packs = Mutex(LeastRecentlyUsed<Key, RuleBook.LoadedPack>())

    /// The pack that was read from a text with a language's cues, unless others have taken its room.
    func pack(of source: String, cueSource: String) -> RuleBook.LoadedPack? {
        packs.withLock { $0.use(Key(source: source, cueSource: cueSource)) }
    }

    /// Keeps a pack; those that were not asked for longest make room.
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
