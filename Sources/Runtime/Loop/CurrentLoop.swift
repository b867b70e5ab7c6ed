import Foundation

/// Remembers, for each thread, the loop that runs on it.
enum CurrentLoop {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    static func get() -> EventLoop? {
        pthread_getspecific(key).map { Unmanaged<EventLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The loop's thread holds the loop while it runs, so that an unowned pointer is enough.
    static func set(_ loop: EventLoop?) {
        pthread_setspecific(key, loop.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }
}
