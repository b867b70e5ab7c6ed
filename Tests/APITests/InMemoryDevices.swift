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
        /// The push tokens of devices in use, the last one registered at the end.
        var pushes: [(device: DeviceID, push: ContactDetails.Device)] = []
        var failure: RecordsError?
    }

    private let state = Mutex(State())
    private let patients: Set<PatientID>
    private let telephones: any PatientDevices

    init(knowing patients: Set<PatientID>, telephones: any PatientDevices) {
        (self.patients, self.telephones) = (patients, telephones)
    }

    /// Error of every call, as without a database; nil when none fails.
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

    func storePush(
        _ push: ContactDetails.Device,
        of device: DeviceID,
        patient: PatientID,
        tenant: TenantID,
        at date: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        let isInUse = try with { state throws(RecordsError) in
            guard state.devices.contains(where: { $0.device.id == device && $0.device.revokedAt == nil }) else {
                return false
            }
            state.pushes.removeAll { $0.device == device || $0.push.token == push.token }
            state.pushes.append((device, push))
            return true
        }
        if isInUse { try await telephones.store(push, of: patient, tenant: tenant, by: deadline) }
        return isInUse
    }

    func note(
        version: String,
        platform: ContactDetails.Device.Platform?,
        of device: DeviceID,
        patient: PatientID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) {
        try with { state throws(RecordsError) in
            guard let place = state.devices.firstIndex(where: { $0.device.id == device }) else { return }
            let before = state.devices[place].device.software.split(separator: " ").first.map(String.init)
            let known = platform?.rawValue ?? before.flatMap { ["ios", "android"].contains($0) ? $0 : nil }
            state.devices[place].device.software = [known, version].compactMap { $0 }.joined(separator: " ")
        }
    }

    func revoke(
        _ device: DeviceID,
        of patient: PatientID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        typealias Left = (push: ContactDetails.Device?, next: ContactDetails.Device?)
        let left: Left? = try with { state throws(RecordsError) in
            guard
                let place = state.devices.firstIndex(where: { entry in
                    entry.device.id == device && entry.device.patient == patient && entry.device.tenant == tenant
                        && entry.device.revokedAt == nil
                })
            else { return nil }
            state.devices[place].device.revokedAt = Date()
            let push = state.pushes.first { $0.device == device }?.push
            state.pushes.removeAll { $0.device == device }
            return (push, state.pushes.last?.push)
        }
        guard let left else { return false }
        let told = try await telephones.device(of: patient, tenant: tenant, by: deadline).device
        if let push = left.push, told?.token == push.token {
            try await telephones.store(left.next, of: patient, tenant: tenant, by: deadline)
        }
        return true
    }
}
