package import Conversation
package import Foundation
package import Runtime

/// Sends the messages that the policy plans and returns their results.
///
/// Needs no system of record. Alerts from a local spool and from the outbox share this code and the same dispatch
/// identities.
package struct AlertDelivery: Sendable {
    /// Time limit for a provider to accept one message.
    package static let sendingTime = Duration.seconds(8)

    /// Plans the messages.
    package let policy: AlertPolicy
    private let senders: [AlertChannel: any AlertSender]
    private let links: AlertLinks
    private let figures: AlertFigures
    private let time: any TimeSource
    private let log: Log

    package init(
        _ senders: [any AlertSender],
        links: AlertLinks,
        figures: AlertFigures,
        time: any TimeSource = SystemTime(),
        log: Log
    ) {
        self.senders = Dictionary(senders.map { ($0.channel, $0) }, uniquingKeysWith: { first, _ in first })
        policy = AlertPolicy(channels: Set(self.senders.keys))
        self.links = links
        self.figures = figures
        self.time = time
        self.log = log
    }

    /// Notifies the recipients that are due for an alert that no record holds yet.
    ///
    /// Safe to repeat: the same alert and contacts give the same dispatch identities, by which providers recognise a
    /// repeated message. This also holds for the messages that are sent after the record drains the alert.
    ///
    /// - Parameter keep: Stores the case before sending and after it.
    /// - Returns: The case with the results, and the time of the next call; nil when nothing more is due.
    package func deliver(
        _ alertCase: AlertCase,
        keeping keep: (AlertCase) async -> Void = { _ in }
    ) async -> (alertCase: AlertCase, lookAgainAt: Date?) {
        var alertCase = alertCase
        for _ in 0..<8 {
            let plan = policy.plan(alertCase, at: time.date)
            let decided = dispatches(plan, of: alertCase)
            guard !decided.isEmpty || !plan.again.isEmpty else {
                if let earlier = plan.groupedInto { (alertCase.state, alertCase.groupedInto) = (.grouped, earlier) }
                return (alertCase, plan.lookAgainAt)
            }
            alertCase.state = plan.state
            alertCase.dispatches += decided
            let due = Set(decided.map(\.id) + plan.again)
            await keep(alertCase)
            let sent = await send(due, again: due, of: alertCase, digesting: plan.digested)
            for dispatch in sent { alertCase.replace(dispatch) }
            await keep(alertCase)
        }
        return (alertCase, time.date.addingTimeInterval(1))
    }

    /// Creates the new dispatches of a plan.
    func dispatches(_ plan: AlertPlan, of alertCase: AlertCase) -> [Dispatch] {
        plan.messages.map { message in
            Dispatch(
                id: DispatchName.id(of: message, for: alertCase.alert.id),
                to: message.recipient,
                by: message.channel,
                wave: message.wave,
                round: message.round,
                createdAt: time.date
            )
        }
    }

    /// Sends some of a case's dispatches in parallel and returns them with their results.
    ///
    /// - Parameter again: The dispatches that an earlier worker may already have sent.
    func send(
        _ due: Set<DispatchID>,
        again: Set<DispatchID>,
        of alertCase: AlertCase,
        digesting others: [AlertID]
    ) async -> [Dispatch] {
        await withTaskGroup(of: Dispatch.self) { group in
            for dispatch in alertCase.dispatches where due.contains(dispatch.id) {
                let isAgain = again.contains(dispatch.id)
                group.addTask { await send(dispatch, isAgain: isAgain, of: alertCase, digesting: others) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    private func send(
        _ dispatch: Dispatch,
        isAgain: Bool,
        of alertCase: AlertCase,
        digesting others: [AlertID]
    ) async -> Dispatch {
        var dispatch = dispatch
        guard let sender = senders[dispatch.channel], var notice = notice(dispatch, of: alertCase, others) else {
            dispatch.fail("the channel or the contact is gone", at: time.date)
            return dispatch
        }
        notice.mayBeRepeated = isAgain || alertCase.mayHaveBeenSpooled
        figures.requested(dispatch, of: alertCase, at: time.date)
        dispatch.attempts += 1
        do throws(SendingFailure) {
            let sent = try await sender.send(notice, by: Deadline(after: Self.sendingTime, from: time.now))
            dispatch.accept(sent.providerID, at: time.date)
            figures.dispatches.add(1, dispatch.channel.rawValue, "accepted")
        } catch {
            settle(&dispatch, error, of: alertCase)
            figures.dispatches.add(1, dispatch.channel.rawValue, error.name)
            log.warning(
                "alert_not_sent",
                "alert_id" ~ alertCase.alert.id.description,
                "channel" ~ dispatch.channel.rawValue,
                "reason" ~ error.reason
            )
        }
        return dispatch
    }

    private func settle(_ dispatch: inout Dispatch, _ failure: SendingFailure, of alertCase: AlertCase) {
        let persistence = AlertClock(alertCase.alert.level)?.persistence ?? .seconds(6 * 3600)
        let first = alertCase.alert.level >= .high ? Duration.milliseconds(500) : .seconds(5)
        let delay = RetryDelay(first: first, longest: .seconds(60))
            .delay(after: dispatch.attempts - 1, jitter: .random(in: 0...1))
        let retryAt = time.date.addingTimeInterval(max(delay, failure.retryAfter ?? .zero).seconds)
        let isLate = retryAt.timeIntervalSince(dispatch.createdAt) > persistence.seconds
        if failure.mayBeTriedAgain && !isLate {
            dispatch.retry(failure.reason, at: retryAt)
        } else {
            dispatch.fail(failure.reason, isBadAddress: failure.isBadAddress, at: time.date)
        }
    }

    private func notice(_ dispatch: Dispatch, of alertCase: AlertCase, _ others: [AlertID]) -> AlertNotice? {
        let contact = alertCase.contacts.first { $0.contact.id == dispatch.recipient.contact }
        guard dispatch.recipient == .operator || contact != nil else { return nil }
        let grant = links.grant(for: dispatch, of: alertCase)
        let isOperators = dispatch.recipient == .operator
        let title = isOperators ? "Nobody has answered yet" : AlertWording.title(of: alertCase, round: dispatch.round)
        let body =
            isOperators
            ? AlertWording.operatorBody(of: alertCase)
            : AlertWording.body(of: alertCase, with: alertCase.related.filter { others.contains($0.id) })
        return AlertNotice(
            dispatch: dispatch.id,
            alert: alertCase.alert.id,
            patient: alertCase.patient.id,
            level: alertCase.alert.level,
            category: alertCase.alert.category,
            title: title.withoutBidiControls,
            body: body.withoutBidiControls,
            link: grant.map(links.page),
            receipts: grant.map(links.receipts),
            contact: contact,
            details: alertCase.details,
            marker: grant.map(links.marker),
            mayBeRepeated: false
        )
    }
}

extension AlertCase {
    /// Replaces the earlier version of a dispatch.
    mutating func replace(_ dispatch: Dispatch) {
        if let index = dispatches.firstIndex(where: { $0.id == dispatch.id }) { dispatches[index] = dispatch }
    }
}

extension SendingFailure {
    fileprivate var retryAfter: Duration? {
        if case .unavailable(_, let retryAfter) = self { retryAfter } else { nil }
    }

    fileprivate var isBadAddress: Bool {
        if case .badAddress = self { true } else { false }
    }
}

extension Dispatch {
    /// Prefix of the reason when the recipient's address itself is invalid.
    static let badAddress = "bad address: "

    fileprivate mutating func accept(_ providerID: String, at date: Date) {
        (state, sentAt, retryAt, reason) = (.accepted, date, nil, nil)
        self.providerID = providerID.isEmpty ? nil : providerID
    }

    fileprivate mutating func retry(_ reason: String, at date: Date) {
        (state, retryAt, self.reason) = (.retrying, date, reason)
    }

    fileprivate mutating func fail(_ reason: String, isBadAddress: Bool = false, at date: Date) {
        (state, failedAt, retryAt) = (.failed, date, nil)
        self.reason = isBadAddress ? Self.badAddress + reason : reason
    }
}
