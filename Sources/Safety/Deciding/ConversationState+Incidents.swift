import Conversation
import Foundation

/// Applies what a message brings to the open incidents, by ``IncidentTable``.
extension ConversationState {
    /// The level of the open incident of a category; none where there is none.
    func level(of category: Conversation.Category) -> Level {
        incidents.first { $0.category == category }?.level ?? .none
    }

    /// Ends the incidents whose time is over, and those whose alert a person has closed.
    ///
    /// - Parameter openAlerts: The categories of the alerts that are not resolved; nil when that is not known.
    mutating func endIncidents(at date: Date, openAlerts: Set<Conversation.Category>?) {
        incidents = incidents.compactMap { incident in
            let isClosed = incident.isAlerted && openAlerts.map { !$0.contains(incident.category) } ?? false
            return IncidentTable.after(isClosed ? .alertClosed : .time, incident, at: date)
        }
    }

    /// Notes evidence of a danger; the incident that it belongs to comes first.
    mutating func note(_ finding: Finding, at date: Date) {
        let known = incidents.firstIndex { $0.category == finding.category }.map { incidents.remove(at: $0) }
        let incident = known ?? Incident(category: finding.category, level: finding.level, evidenceAt: date)
        let after = IncidentTable.after(.evidence(finding.level), incident, at: date) ?? incident
        incidents = Array(([after] + incidents).prefix(Self.mostIncidents))
    }

    /// Notes for which incidents an alert was written.
    mutating func note(alerted alerts: [Alert]) {
        for index in incidents.indices where alerts.contains(where: { $0.category == incidents[index].category }) {
            incidents[index].isAlerted = true
        }
    }

    /// Closes or lowers incidents by what the person says of them.
    mutating func close(_ closings: Set<Closing>, _ answer: QuestionAnswer?, at date: Date) {
        for closing in closings {
            incidents = incidents.compactMap { IncidentTable.after(.closing(closing), $0, at: date) }
        }
        guard let category = answer?.incident, let event = answer?.event else { return }
        incidents = incidents.compactMap { incident in
            incident.category == category ? IncidentTable.after(event, incident, at: date) : incident
        }
    }

    /// Takes the question that waits, with what the message answers to it; nil when it is no answer.
    ///
    /// The question is closed by any message that was spoken after it: only the next one can answer it.
    mutating func takeAnswer(of turn: Turn, _ screening: Screening, at date: Date) -> QuestionAnswer? {
        guard let question, question.askedAt <= turn.spokenAt else { return nil }
        self.question = nil
        guard date.timeIntervalSince(question.askedAt) <= SafetyDecisionPolicy.questionWindow else { return nil }
        return QuestionAnswer(turn.text, to: question, screening)
    }
}
