import Console
import Conversation
import Cryptography
import Domain
import Evaluation
import Foundation
import Runtime

/// Converts turns into test cases for the console; replaces the name of every person in the patient's profile.
struct FixtureExporter: FixtureExporting {
    private let reads: any PatientReader

    init(_ reads: any PatientReader) {
        self.reads = reads
    }

    func suite(of turn: TurnRecord, by deadline: Deadline) async throws(ConsoleError) -> [UInt8] {
        let json = document(of: turn, names: try await names(around: turn.patient, by: deadline)).bytes
        let days = Double(RandomToken.bytes(count: 1)[0] % 180) + 1
        do throws(ProductionTurn.Refusal) {
            let id = "production-\(Digest.sha256(json).hex.prefix(8))"
            let test = try ProductionTurn(json: json).fixture(id: id, shift: -days * 7 * 86_400)
            return Array("suite: production\ntests:\n  - \(test.text)\n".utf8)
        } catch {
            switch error {
            case .unreadable: throw .conflict("The turn cannot be made into a fixture.")
            case .mayIdentifyPerson(let pieces):
                throw .conflict(
                    "No fixture was made: \(pieces.count) parts of the turn may still identify a person."
                )
            }
        }
    }

    private func names(around patient: Patient, by deadline: Deadline) async throws(ConsoleError) -> [String] {
        do throws(RecordsError) {
            let profile = try await reads.profile(of: patient.id, tenant: patient.tenant, by: deadline)
            return [patient.name] + profile.contacts.map(\.contact.name)
        } catch {
            throw ConsoleError(error)
        }
    }

    private func document(of turn: TurnRecord, names: [String]) -> JSONValue {
        .members([
            "said": .string(turn.message.said),
            "answered": turn.message.answered.map { .string($0) },
            "level": .string(turn.message.level.rawValue),
            "flags": .strings(turn.reply?.flags ?? []),
            "source": turn.message.source.map { .string($0.rawValue) },
            "language": .string(turn.patient.language),
            "spoken_at": .string(turn.message.spokenAt.formatted(.iso8601)),
            "names": .strings(names),
        ])
    }
}
