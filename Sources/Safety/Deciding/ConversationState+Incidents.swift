import Conversation
import Foundation

/// Applies a message's effects to the open incidents by ``IncidentTable``.
extension ConversationState {
    /// The level of a category's open incident; none without an incident.
    func level(of category: Conversation.Category) -> Level {
        incidents.first { $0.category == category }?.level ?? .none
    }

    /// Ends the incidents that have expired or whose alert a person has closed.
    ///
    /// - Parameter openAlerts: The categories of the unresolved alerts; nil when unknown.
    mutating func endIncidents(at date: Date, openAlerts: Set<Conversation.Category>?) {
        incidents = incidents.compactMap { incident in
            let isClosed = incident.isAlerted && openAlerts.map { !$0.contains(incident.category) } ?? false
            return IncidentTable.after(isClosed ? .alertClosed : .time, incident, at: date)
        }
    }

    /// Adds evidence of a danger to its incident, which moves to the front.
    mutating func note(_ finding: Finding, at date: Date) {
        let known = incidents.firstIndex { $0.category == finding.category }.map { incidents.remove(at: $0) }
        let incident = known ?? Incident(category: finding.category, level: finding.level, evidenceAt: date)
        let after = IncidentTable.after(.evidence(finding.level), incident, at: date) ?? incident
        incidents = Array(([after] + incidents).prefix(Self.mostIncidents))
    }

    /// Marks the incidents for which an alert was written.
    mutating func note(alerted alerts: [Alert]) {
        for index in incidents.indices where alerts.contains(where: { $0.category == incidents[index].category }) {
            incidents[index].isAlerted = true
        }
    }

    /// Closes or lowers incidents by the person's statements about them.
    mutating func close(_ closings: Set<Closing>, _ answer: QuestionAnswer?, at date: Date) {
        for closing in closings {
            incidents = incidents.compactMap { IncidentTable.after(.closing(closing), $0, at: date) }
        }
        guard let category = answer?.incident, let event = answer?.event else { return }
        incidents = incidents.compactMap { incident in
            incident.category == category ? IncidentTable.after(event, incident, at: date) : incident
        }
    }

    /// Takes the open question with the message's answer to it; nil when the message is no answer.
    ///
    /// Any later message closes the question: only the next one can answer it.
    mutating func takeAnswer(of turn: Turn, _ screening: Screening, at date: Date) -> QuestionAnswer? {
        guard let question, question.askedAt <= turn.spokenAt else { return nil }
        self.question = nil
        guard date.timeIntervalSince(question.askedAt) <= SafetyDecisionPolicy.questionWindow else { return nil }
        return QuestionAnswer(turn.text, to: question, screening)
    }
}
