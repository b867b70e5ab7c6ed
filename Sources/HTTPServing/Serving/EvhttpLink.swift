import CEvent
import Foundation

/// One `evhttp` connection, with this server's callbacks before its own.
///
/// `evhttp` reads its socket through a `bufferevent`. The link takes over the bufferevent's callbacks and gives
/// `evhttp` one complete request at a time. It also reports written bytes when `evhttp` waits for them. `evhttp` never
/// receives the socket's own events, some of which end the connection early or crash the process.
///
/// Confined to its loop. `evhttp` owns the bufferevent and the connection, which are freed by `free` or `evhttp_free`.
/// The close callback tells the owner, which drops the link.
final class EvhttpLink {
    private let stream: OpaquePointer
    private let connection: OpaquePointer
    private let read: bufferevent_data_cb?
    private let write: bufferevent_data_cb?
    private let event: bufferevent_event_cb?

    /// Takes over a connection that `evhttp` has just accepted; nil when `evhttp` already closed it.
    init?(_ stream: OpaquePointer) {
        var read: bufferevent_data_cb?
        var write: bufferevent_data_cb?
        var event: bufferevent_event_cb?
        var context: UnsafeMutableRawPointer?
        bufferevent_getcb(stream, &read, &write, &event, &context)
        guard let context else { return nil }
        self.stream = stream
        self.read = read
        self.write = write
        self.event = event
        connection = OpaquePointer(context)
    }

    /// Sends the socket's events and the connection's end to the owner.
    func watch(_ owner: Connection) {
        let context = Unmanaged.passUnretained(owner).toOpaque()
        bufferevent_setcb(stream, bytesArrived, bytesWritten, streamEnded, context)
        evhttp_connection_set_closecb(connection, connectionClosed, context)
    }

    /// The address of the peer, without its port.
    var peer: String {
        var address: UnsafeMutablePointer<CChar>?
        var port: UInt16 = 0
        evhttp_connection_get_peer(connection, &address, &port)
        return address.map { String(cString: $0) } ?? ""
    }

    /// Takes the received bytes.
    func takeInput(_ body: (UnsafeRawBufferPointer) -> Void) {
        let input = bufferevent_get_input(stream)
        let count = evbuffer_get_length(input)
        guard count > 0, let bytes = evbuffer_pullup(input, -1) else { return }
        body(UnsafeRawBufferPointer(start: bytes, count: count))
        evbuffer_drain(input, count)
    }

    /// Gives `evhttp` the bytes of a complete request; `evhttp` then calls its request callback.
    ///
    /// - Returns: True if it used every byte; otherwise its reading of the request differs from the gate's.
    func offer(_ wire: [UInt8]) -> Bool {
        let input = bufferevent_get_input(stream)
        bufferevent_setcb(stream, read, write, event, UnsafeMutableRawPointer(connection))
        evbuffer_unfreeze(input, 0)
        evbuffer_add(input, wire, wire.count)
        evbuffer_freeze(input, 0)
        bufferevent_trigger(stream, Int16(EV_READ), Int32(BEV_TRIG_IGNORE_WATERMARKS.rawValue))
        return evbuffer_get_length(input) == 0
    }

    /// Tells `evhttp` that the kernel has taken its output.
    func tellWritten() {
        bufferevent_setcb(stream, read, write, event, UnsafeMutableRawPointer(connection))
        write?(stream, UnsafeMutableRawPointer(connection))
    }

    /// The number of bytes that wait to be written.
    var outputCount: Int { evbuffer_get_length(bufferevent_get_output(stream)) }

    /// Writes as much as possible without waiting for the socket; returns true if that was everything.
    ///
    /// An error is left for the stream's next write.
    func writeNow() -> Bool {
        let output = bufferevent_get_output(stream)
        evbuffer_unfreeze(output, 1)
        evbuffer_write(output, bufferevent_getfd(stream))
        evbuffer_freeze(output, 1)
        guard evbuffer_get_length(output) == 0 else { return false }
        bufferevent_disable(stream, Int16(EV_WRITE))
        return true
    }

    /// Writes an interim response past `evhttp`.
    func writeInterim(_ text: StaticString) {
        evbuffer_add(bufferevent_get_output(stream), text.utf8Start, text.utf8CodeUnitCount)
        bufferevent_enable(stream, Int16(EV_WRITE))
    }

    /// Switches reading from the socket on or off.
    func setReading(_ isOn: Bool) {
        if isOn { bufferevent_enable(stream, Int16(EV_READ)) } else { bufferevent_disable(stream, Int16(EV_READ)) }
    }

    /// Closes the sending side, so that the peer sees the end of the response.
    func endWriting() {
        shutdown(bufferevent_getfd(stream), Int32(SHUT_WR))
    }

    /// True if the kernel knows that the peer has reset or closed the connection.
    var isReset: Bool {
        var state: UInt8 = 0
        var length = socklen_t(1)
        let status = getsockopt(bufferevent_getfd(stream), Int32(IPPROTO_TCP), TCP_INFO, &state, &length)
        return status != 0 || state == UInt8(TCP_CLOSE)
    }

    /// Closes the connection; the close callback runs before this returns.
    func free() {
        evhttp_connection_free(connection)
    }
}

private let bytesArrived: bufferevent_data_cb = { _, context in owner(context)?.bytesArrived() }

private let bytesWritten: bufferevent_data_cb = { _, context in owner(context)?.bytesWritten() }

private let streamEnded: bufferevent_event_cb = { _, what, context in
    owner(context)?.streamEnded(isError: Int32(what) & BEV_EVENT_ERROR != 0)
}

private let connectionClosed: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, context in
    owner(context)?.connectionClosed()
}

private func owner(_ context: UnsafeMutableRawPointer?) -> Connection? {
    context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}
