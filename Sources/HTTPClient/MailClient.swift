package import Runtime

/// Sends mail over SMTP with curl, always over TLS.
///
/// On threads of its own, each mail over a connection of its own: a few mails an hour are not worth keeping connections for,
/// and the protocol's many small steps are no work for an event loop. Two mails at a time; a hundred may wait.
package final class MailClient: Service {
    private static let capacity = 100

    package let name = "mail"
    private let server: MailServer
    private let threads = WorkerThreads(name: "mail", count: 2, capacity: capacity)

    /// Makes a client of a server; nothing is connected until the first mail.
    package init(_ server: MailServer) {
        self.server = server
    }

    package func start() async throws {}

    /// Lets the threads end after the mails that wait.
    package func drain(by deadline: Deadline) async {
        threads.stop()
    }

    /// Sends a mail; returns when the server has taken it.
    package func send(_ mail: OutgoingMail, by deadline: Deadline) async throws(MailFailure) {
        let result: Result<Void, MailFailure>
        do throws(WorkerError) {
            result = try await threads.run(by: deadline) { [server] in
                Result { () throws(MailFailure) in try MailTransfer(mail, to: server).perform(by: deadline) }
            }
        } catch {
            switch error {
            case .full(let waiting): throw .full(waiting: waiting)
            case .expired: throw .timedOut(mayHaveArrived: true)
            case .cancelled, .stopped: throw .cancelled
            }
        }
        try result.get()
    }
}
