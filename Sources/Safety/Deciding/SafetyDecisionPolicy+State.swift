package import Conversation
package import Foundation

/// Computes the conversation's state after a reply.
extension SafetyDecisionPolicy {
    /// Records the reply's words and question, and counts the reply for each open incident.
    package func state(
        after text: String,
        _ canned: [CannedReply],
        of decision: Decision,
        at date: Date
    ) -> ConversationState {
        var state = decision.state
        state.note(said: canned.flatMap(\.ids))
        let asked = canned.compactMap(\.question).last
        state.question = asked.map { asked in
            OpenQuestion(
                kind: asked.kind,
                category: asked.category,
                level: asked.level,
                raises: asked.raises,
                worse: asked.worse,
                askedAt: date
            )
        }
        if state.question == nil, FamilyOffer.isMade(in: text) {
            state.question = OpenQuestion(kind: .offer, category: .request, level: .none, askedAt: date)
        }
        let isStated = canned.contains { $0.ids.contains { $0.hasPrefix("check.statement/") } }
        state.incidents = state.incidents.compactMap { incident in
            var incident = incident
            let isEvidence = incident.evidenceAt == date && incident.replies == 0
            let isAsked = asked?.kind == .check && asked?.category == incident.category
            if isAsked && !isEvidence || isStated && IncidentTable.isCheckDue(incident) { incident.checks += 1 }
            return IncidentTable.after(.replied, incident, at: date)
        }
        return state
    }
}
