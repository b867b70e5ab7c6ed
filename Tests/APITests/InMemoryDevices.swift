import Domain
import Foundation
import Runtime
import Synchronization

/// Devices in memory, with the meaning that PostgreSQL gives them.
final class InMemoryDevices: DeviceRecords {
    private struct Entry {
        var device: Device
        var digest: String
        var next: String?
    }

    private struct State {
        var tokens: [String: (patient: PatientID, expiresAt: Date)] = [:]
        var devices: [Entry] = []
        var failure: RecordsError?
    }

    private let state = Mutex(State())
    private let patients: Set<PatientID>

    init(knowing patients: Set<PatientID>) { self.patients = patients }

    /// Whether every call fails as it would without a database.
    var failure: RecordsError? {
        get { state.withLock { $0.failure } }
        set { state.withLock { $0.failure = newValue } }
    }

    private func with<Value>(_ body: (inout State) throws(RecordsError) -> Value) throws(RecordsError) -> Value {
        try state.withLock { state throws(RecordsError) in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }

    func storeSetup(
        _ digest: String,
        of patient: PatientID,
        tenant: TenantID,
        expiresAt date: Date,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) {
        guard patients.contains(patient), tenant == DemoHousehold.tenant else { throw .unknownPatient(patient) }
        try with { state throws(RecordsError) in state.tokens[digest] = (patient, date) }
    }

    func setUp(
        _ device: Device,
        key digest: String,
        with token: String,
        at date: Date,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        try with { state throws(RecordsError) in
            guard let (patient, end) = state.tokens[token], patient == device.patient, end > date else { return false }
            state.tokens[token] = nil
            state.devices.append(Entry(device: device, digest: digest))
            return true
        }
    }

    func device(key digest: String, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> Device? {
        try with { state throws(RecordsError) in
            guard
                let place = state.devices.firstIndex(where: { entry in
                    (entry.digest == digest || entry.next == digest) && entry.device.revokedAt == nil
                        && entry.device.tenant == tenant
                })
            else { return nil }
            if state.devices[place].next == digest {
                state.devices[place].digest = digest
                state.devices[place].next = nil
            }
            return state.devices[place].device
        }
    }

    func rotate(
        _ device: DeviceID,
        of patient: PatientID,
        tenant: TenantID,
        to digest: String,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        try with { state throws(RecordsError) in
            guard let place = state.devices.firstIndex(where: { $0.device.id == device }) else { return false }
            state.devices[place].next = digest
            return true
        }
    }

    func devices(
        of patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> [Device] {
        try with { state throws(RecordsError) in
            state.devices.map(\.device).filter { $0.patient == patient && $0.tenant == tenant }.reversed()
        }
    }

    func revoke(
        _ device: DeviceID,
        of patient: PatientID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        try with { state throws(RecordsError) in
            guard
                let place = state.devices.firstIndex(where: { entry in
                    entry.device.id == device && entry.device.patient == patient && entry.device.tenant == tenant
                        && entry.device.revokedAt == nil
                })
            else { return false }
            let old = state.devices[place].device
            state.devices[place].device = Device(
                id: old.id,
                tenant: old.tenant,
                patient: old.patient,
                name: old.name,
                software: old.software,
                createdAt: old.createdAt,
                revokedAt: Date()
            )
            return true
        }
    }
}
