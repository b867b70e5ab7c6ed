import CArgon2
import Synchronization

/// Memory in which passwords are hashed, kept from one hash to the next.
///
/// A thread that stands back for all others would otherwise take 19 MiB from the kernel for each hash and give them
/// back. The kernel locks the memory map of the whole process for that. On a busy machine such a thread loses its core
/// with the lock in hand, and every turn that needs memory then waits for it. The library wipes the memory after use.
enum HashingMemory {
    /// Most pieces that are kept, at 19 MiB each.
    private static let mostKept = 8
    private static let alignment = 64
    /// Addresses of the pieces that nobody uses.
    private static let kept = Mutex<[UInt]>([])

    /// Takes a piece of one size, for the library; null when there is no memory.
    static let take: allocate_fptr = { memory, bytes in
        let address = kept.withLock { $0.popLast() }
        let piece =
            address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }
            ?? UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: alignment)
        memory?.pointee = piece.assumingMemoryBound(to: UInt8.self)
        return 0
    }

    /// Keeps a piece for the next hash.
    static let giveBack: deallocate_fptr = { memory, _ in
        guard let memory else { return }
        let isKept = kept.withLock { kept in
            guard kept.count < mostKept else { return false }
            kept.append(UInt(bitPattern: memory))
            return true
        }
        if !isKept { UnsafeMutableRawPointer(memory).deallocate() }
    }
}
