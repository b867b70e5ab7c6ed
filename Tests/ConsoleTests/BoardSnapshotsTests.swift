import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// The reading of the board that everybody shares: how long it is kept, and what an erasure leaves of it.
@Suite(.timeLimit(.minutes(1))) struct BoardSnapshotsTests {
    @Test func `an erasure drops the shared reading, which is read anew without the patient`() async throws {
        try await withScratchRecords { scratch in
            let (tenant, patient) = (scratch.tenant, scratch.patient.id)
            let page = IncidentsPage(scratch.records)
            let alert = Alert(level: .high, category: .fall, finding: nil, summary: "{name} fell.", lateBy: 0)
            let raised = RaisedAlert(alert, of: patient, tenant: tenant)
            _ = try await scratch.records.raise(raised, lease: nil, by: .soon)
            let first = try await page.snapshots.snapshot(of: tenant, by: .soon)
            #expect(first.incidents.map(\.patient.id) == [patient] && page.snapshots.keeps(tenant))
            try await page.erase(PatientID(), of: TenantID(), by: .soon)
            #expect(page.snapshots.keeps(tenant), "another tenant's erasure leaves it")
            try await scratch.database.run("DELETE FROM hearth.alerts")
            try await page.erase(patient, of: tenant, by: .soon)
            #expect(!page.snapshots.keeps(tenant))
            #expect(try await page.snapshots.snapshot(of: tenant, by: .soon).incidents.isEmpty)
        }
    }
}
