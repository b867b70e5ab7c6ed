import Domain
import Foundation
import Runtime
import TestSupport
import Testing

@testable import Recall

/// Memories of many patients are written to the cache together, some moments after they were stored.
@Suite(.timeLimit(.minutes(1)))
struct MemoryWriterTests {
    private let folder: ScratchFolder
    private let tenant = TenantID()

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func `memories of several patients are written after the pause, without another recall`() async throws {
        let cache = open()
        let written = OneShot<RecallError?>()
        let writer = MemoryWriter(cache, after: .milliseconds(50), time: SystemTime()) { written.settle($0) }
        let patients = (0..<5).map { _ in PatientID() }
        let matrices = patients.map { loaded($0) }
        for (patient, matrix) in zip(patients, matrices) { writer.write(matrix, of: owner(patient)) }
        #expect(await written.value(ifCancelled: .cancelled) == nil)
        await writer.writeAll(by: .far)
        for (patient, matrix) in zip(patients, matrices) {
            let kept = try await cache.memories(of: patient, tenant: tenant, after: 0, limit: 9, by: .far)
            #expect(kept.map(\.memory.text) == ["word 1 of \(patient)", "word 2 of \(patient)"])
            #expect(matrix.sync.durable == 2)
        }
    }

    @Test func `a removed patient's memories are left out, and so are those of a file that was not read`() async throws
    {
        let cache = open()
        let writer = MemoryWriter(cache, after: .seconds(3600), time: SystemTime()) { _ in }
        let (removed, unread, stays) = (PatientID(), PatientID(), PatientID())
        let matrices = [loaded(removed), loaded(unread, isCacheRead: false), loaded(stays)]
        matrices[0].noteRemoval()
        for (patient, matrix) in zip([removed, unread, stays], matrices) { writer.write(matrix, of: owner(patient)) }
        await writer.writeAll(by: .far)
        #expect(matrices.map(\.sync.durable) == [0, 0, 2])
        for patient in [removed, unread] {
            #expect(try await cache.memories(of: patient, tenant: tenant, after: 0, limit: 9, by: .far).isEmpty)
        }
    }

    private func loaded(_ patient: PatientID, isCacheRead: Bool = true) -> PatientMatrix {
        let matrix = PatientMatrix(dimension: 2)
        matrix.append(
            (1...2).map { number in
                let text = "word \(number) of \(patient)"
                return .made(text, of: patient, tenant: tenant, vector: [0.6, 0.8], position: Int64(number))
            }
        )
        matrix.updateSync { $0.isCacheRead = isCacheRead }
        return matrix
    }

    private func owner(_ patient: PatientID) -> MemoryOwner { MemoryOwner(patient: patient, tenant: tenant) }

    private func open() -> SQLiteMemories {
        SQLiteMemories(
            .init(path: folder.path("memories.sqlite")),
            space: "flat",
            dimension: 2,
            log: Log(to: MemoryLogSink()),
            metrics: RecallMetrics()
        )
    }
}
