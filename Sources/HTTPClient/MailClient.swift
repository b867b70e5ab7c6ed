package import Runtime

/// Sends mail over SMTP with curl, always over TLS.
///
/// Runs on two own threads with one connection for each mail: a few mails an hour do not justify open connections.
/// SMTP's many round trips do not suit an event loop. Up to 100 mails may wait.
package final class MailClient: Service {
    private static let capacity = 100

    package let name = "mail"
    private let server: MailServer
    private let threads = WorkerThreads(name: "mail", count: 2, capacity: capacity)

    /// Makes a client for a server; it connects with the first mail.
    package init(_ server: MailServer) {
        self.server = server
    }

    package func start() async throws {}

    /// Lets the threads end after the waiting mails.
    package func drain(by deadline: Deadline) async {
        threads.stop()
    }

    /// Sends a mail and returns when the server has accepted it.
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
