import Foundation

/// A process in front of a ``RawServer`` that speaks TLS, or HTTP/2 over TLS, to clients and plain HTTP/1.1 to the
/// server.
package final class RawServerFront: Sendable {
    /// True if `nghttpx` (Debian's `nghttp2-proxy`) is installed, which HTTP/2 needs.
    package static let speaksHTTP2 = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nghttpx")

    /// The port on 127.0.0.1.
    package let port: Int
    private let process: Process

    /// A front that passes bytes on, inside TLS.
    package static func tls(
        to server: RawServer,
        _ certificates: RawServerCertificates
    ) async throws -> RawServerFront {
        let port = Loopback.closedPort()
        let arguments = ["\(port)", "\(server.port)", certificates.certificate, certificates.key]
        return try await RawServerFront(port: port, ["python3", "-c", tlsFront] + arguments)
    }

    /// A front that speaks HTTP/2.
    package static func http2(
        to server: RawServer,
        _ certificates: RawServerCertificates
    ) async throws -> RawServerFront {
        let port = Loopback.closedPort()
        let options = [
            "--conf=/dev/null", "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(server.port)",
            "--single-process", "--workers=1", "--log-level=FATAL", "--no-ocsp", certificates.key,
            certificates.certificate,
        ]
        return try await RawServerFront(port: port, ["nghttpx"] + options)
    }

    /// Starts the process and waits until it listens.
    private init(port: Int, _ command: [String]) async throws {
        self.port = port
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        while process.isRunning, !Loopback.answers(atPort: port) { try await Task.sleep(for: .milliseconds(5)) }
    }

    /// The front's address as a URL without a path.
    package var url: String { "https://127.0.0.1:\(port)" }

    /// Kills the process; it has inherited a mask that may keep milder signals from it.
    package func stop() {
        kill(process.processIdentifier, SIGKILL)
    }
}

private let tlsFront = """
    import socket, ssl, sys, threading
    port, target, certificate, key = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["http/1.1"])
    listener = socket.create_server(("127.0.0.1", port), backlog=64)

    def shut(*ends):
        for end in ends:
            try: end.shutdown(socket.SHUT_RDWR)
            except OSError: pass

    def pump(source, target):
        try:
            while data := source.recv(65536): target.sendall(data)
        except OSError: pass
        shut(source, target)

    def serve(plain):
        try:
            client = context.wrap_socket(plain, server_side=True)
        except OSError:
            plain.close()
            return
        server = socket.create_connection(("127.0.0.1", target))
        there = threading.Thread(target=pump, args=(client, server))
        there.start()
        pump(server, client)
        there.join()
        client.close()
        server.close()

    def accept():
        while True: threading.Thread(target=serve, args=(listener.accept()[0],)).start()

    accept()
    """
