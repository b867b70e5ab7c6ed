import Foundation
import Testing

@testable import Domain

/// A candidate's output screen over that of the active bundle.
@Suite struct StrictestOutputScreenTests {
    /// A screen with one verdict on every sentence.
    private struct Fixed: OutputScreen {
        let screened: ScreenedSentence

        init(_ verdict: OutputVerdict, near rule: String? = nil) {
            screened = ScreenedSentence(verdict, nearRule: rule)
        }

        func wantsVector(of sentence: String, answering decision: Decision) -> Bool { false }
        func protection(of sentence: String) -> Protection { .none }
        func plainlyProtects(_ sentence: String) -> Bool { false }
        func isConsiderate(_ sentence: String) -> Bool { true }

        func screen(
            _ sentence: String,
            vector: [Float],
            answering turn: Turn,
            _ decision: Decision,
            in posture: Posture
        ) -> OutputVerdict { screened.verdict }

        func screened(
            _ sentence: String,
            vector: [Float],
            answering turn: Turn,
            _ decision: Decision,
            in posture: Posture
        ) -> ScreenedSentence { screened }
    }

    private func screened(_ own: Fixed, over floor: Fixed) -> ScreenedSentence {
        let now = Date(timeIntervalSince1970: 0)
        let turn = Turn(tenant: TenantID(), patient: PatientID(), text: "Hello.", spokenAt: now, receivedAt: now)
        let decision = Decision(level: .none, alerts: [], reportsScam: false, state: ConversationState())
        return StrictestOutputScreen(own, floor: floor)
            .screened("How lovely.", vector: [], answering: turn, decision, in: .open)
    }

    @Test(
        arguments: [
            ("own", String?.none, "own"), ("own", "floor", "own"), (nil, "floor", "floor"), (nil, nil, nil),
        ] as [(String?, String?, String?)]
    )
    func `a sentence is near a harm when either screen says so`(own: String?, floor: String?, expected: String?) {
        let found = screened(Fixed(.pass, near: own), over: Fixed(.pass, near: floor))
        #expect(found.verdict == .pass && found.nearRule == expected)
    }

    @Test func `a sentence that either screen leaves out is left out, and is near nothing`() {
        let drop = OutputVerdict.drop(rule: "reply.dose")
        for found in [
            screened(Fixed(drop), over: Fixed(.pass, near: "reply.dose")),
            screened(Fixed(.pass, near: "reply.dose"), over: Fixed(drop)),
        ] {
            #expect(found.verdict == drop && found.nearRule == nil)
        }
    }

    @Test func `the graver of two verdicts decides`() {
        let (drop, harm) = (OutputVerdict.drop(rule: "a"), OutputVerdict.harm(rule: "b"))
        #expect(screened(Fixed(drop), over: Fixed(harm)).verdict == harm)
        #expect(screened(Fixed(harm), over: Fixed(drop)).verdict == harm)
        #expect(screened(Fixed(.end(rule: "c")), over: Fixed(.pass)).verdict == .end(rule: "c"))
    }
}
