import CEvent
import Foundation

/// One client's socket with its buffers: libevent's `bufferevent`, which reads and writes when the socket is ready.
///
/// Confined to its loop. No method may be called after `close`.
final class ClientSocket {
    private let stream: OpaquePointer

    /// Takes over a socket; without memory for the buffers closes the socket and returns nil.
    init?(_ descriptor: Int32, on base: OpaquePointer) {
        guard let stream = bufferevent_socket_new(base, descriptor, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue)) else {
            Foundation.close(descriptor)
            return nil
        }
        self.stream = stream
        bufferevent_disable(stream, Int16(EV_WRITE))
    }

    /// Sends the socket's events to their owner, which must outlive the socket.
    func watch(_ owner: Connection) {
        let context = Unmanaged.passUnretained(owner).toOpaque()
        bufferevent_setcb(stream, bytesArrived, bytesWritten, streamEnded, context)
    }

    /// Takes the bytes that have arrived.
    func takeInput(_ body: (UnsafeRawBufferPointer) -> Void) {
        let input = bufferevent_get_input(stream)
        let count = evbuffer_get_length(input)
        guard count > 0, let bytes = evbuffer_pullup(input, -1) else { return }
        body(UnsafeRawBufferPointer(start: bytes, count: count))
        evbuffer_drain(input, count)
    }

    /// The number of bytes that wait to be written.
    var outputCount: Int { evbuffer_get_length(bufferevent_get_output(stream)) }

    /// Adds bytes to the output.
    func write(_ bytes: [UInt8]) {
        evbuffer_add(bufferevent_get_output(stream), bytes, bytes.count)
    }

    /// Adds text to the output.
    func write(_ text: StaticString) {
        evbuffer_add(bufferevent_get_output(stream), text.utf8Start, text.utf8CodeUnitCount)
    }

    /// Writes the bytes that the kernel accepts at once; returns true if that was the whole output.
    ///
    /// The rest is written when the socket is ready; errors are reported then.
    func flush() -> Bool {
        let output = bufferevent_get_output(stream)
        evbuffer_unfreeze(output, 1)
        evbuffer_write(output, bufferevent_getfd(stream))
        evbuffer_freeze(output, 1)
        guard evbuffer_get_length(output) > 0 else {
            bufferevent_disable(stream, Int16(EV_WRITE))
            return true
        }
        bufferevent_enable(stream, Int16(EV_WRITE))
        return false
    }

    /// Turns reading on or off; unread bytes stay in the kernel.
    func setReading(_ isOn: Bool) {
        if isOn { bufferevent_enable(stream, Int16(EV_READ)) } else { bufferevent_disable(stream, Int16(EV_READ)) }
    }

    /// Ends our side of the connection, so that the peer sees the end of the output.
    func endWriting() {
        shutdown(bufferevent_getfd(stream), Int32(SHUT_WR))
    }

    /// True if the kernel knows that the peer has reset the connection or is gone.
    var isReset: Bool {
        var state: UInt8 = 0
        var length = socklen_t(1)
        let status = getsockopt(bufferevent_getfd(stream), Int32(IPPROTO_TCP), TCP_INFO, &state, &length)
        return status != 0 || state == UInt8(TCP_CLOSE)
    }

    /// Closes the socket and frees its buffers; unwritten bytes are lost.
    func close() {
        bufferevent_free(stream)
    }
}

private let bytesArrived: bufferevent_data_cb = { _, context in owner(context)?.bytesArrived() }

private let bytesWritten: bufferevent_data_cb = { _, context in owner(context)?.bytesWritten() }

private let streamEnded: bufferevent_event_cb = { _, what, context in
    owner(context)?.streamEnded(isError: Int32(what) & BEV_EVENT_ERROR != 0)
}

private func owner(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}
