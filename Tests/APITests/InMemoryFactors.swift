import Domain
import Foundation
import Runtime
import Synchronization

/// Second factors in memory, with the meaning that PostgreSQL gives them.
final class InMemoryFactors: Sendable {
    private struct Entry {
        var factors = UserFactors()
        var session: UserSessionID?
        var until = Date.distantPast
        var codes: [String: Bool] = [:]
    }

    private let entries = Mutex<[UserID: Entry]>([:])

    func factors(of user: UserID) -> UserFactors { entries.withLock { $0[user]?.factors ?? UserFactors() } }

    func offer(
        _ factor: FactorID,
        to user: UserID,
        _ session: UserSessionID,
        at date: Date,
        until end: Date
    ) -> FactorOffering {
        entries.withLock { entries in
            var entry = entries[user] ?? Entry()
            if let waiting = entry.factors.pending, entry.until > date {
                return entry.session == session ? .waiting(waiting) : .taken(until: entry.until)
            }
            let old = entry.factors
            entry.factors = UserFactors(
                active: old.active,
                pending: factor,
                lastStep: old.lastStep,
                codesSession: old.codesSession
            )
            (entry.session, entry.until) = (session, end)
            entries[user] = entry
            return .waiting(factor)
        }
    }

    func activate(
        _ factor: FactorID,
        of user: UserID,
        _ session: UserSessionID,
        at date: Date,
        _ step: Int64,
        _ codes: [String]
    ) -> Bool {
        entries.withLock { entries in
            guard let entry = entries[user], entry.factors.pending == factor, entry.session == session,
                entry.until > date
            else { return false }
            let unused = codes.map { ($0, false) }
            entries[user] = Entry(
                factors: UserFactors(active: factor, lastStep: step, codesSession: session),
                codes: Dictionary(unused, uniquingKeysWith: { first, _ in first })
            )
            return true
        }
    }

    func endSetUp(of user: UserID) {
        entries.withLock { entries in
            guard let old = entries[user]?.factors else { return }
            entries[user]?.factors = UserFactors(active: old.active, lastStep: old.lastStep)
            entries[user]?.session = nil
        }
    }

    func use(_ step: Int64, of factor: FactorID, user: UserID) -> Bool {
        entries.withLock { entries in
            guard let old = entries[user]?.factors, old.active == factor, old.lastStep < step else { return false }
            entries[user]?.factors = UserFactors(active: factor, pending: old.pending, lastStep: step)
            return true
        }
    }

    func showAgain(
        _ codes: [String],
        of factor: FactorID,
        user: UserID,
        in session: UserSessionID,
        _ step: Int64
    ) -> Bool {
        entries.withLock { entries in
            guard let entry = entries[user], entry.factors.active == factor, entry.factors.lastStep <= step,
                entry.factors.codesSession == session, codes.allSatisfy({ entry.codes[$0] == false })
            else { return false }
            let pending = entry.factors.pending
            entries[user]?.factors = UserFactors(
                active: factor,
                pending: pending,
                lastStep: step,
                codesSession: session
            )
            return true
        }
    }

    func useCode(_ digest: String, of user: UserID) -> Bool {
        entries.withLock { entries in
            guard entries[user]?.codes[digest] == false else { return false }
            entries[user]?.codes[digest] = true
            return true
        }
    }

    func remove(of user: UserID) -> Bool {
        entries.withLock { $0.removeValue(forKey: user)?.factors.active != nil }
    }
}

extension InMemoryUsers: FactorRecords {
    func factors(of user: UserID, tenant: TenantID, by deadline: Deadline) async throws(RecordsError) -> UserFactors? {
        guard let found = try await self.user(user, of: tenant, by: deadline), found.isActive else { return nil }
        return factorBook.factors(of: user)
    }

    func offer(
        _ factor: FactorID,
        to user: UserID,
        tenant: TenantID,
        in session: UserSessionID,
        at date: Date,
        until end: Date,
        by deadline: Deadline
    ) async throws(RecordsError) -> FactorOffering {
        guard try await self.user(user, of: tenant, by: deadline)?.isActive == true else { return .unknown }
        return factorBook.offer(factor, to: user, session, at: date, until: end)
    }

    func activate(
        _ factor: FactorID,
        of user: UserID,
        tenant: TenantID,
        in session: UserSessionID,
        at date: Date,
        usedUpTo step: Int64,
        backupCodes codes: [String],
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await self.user(user, of: tenant, by: deadline)?.isActive == true else { return false }
        guard factorBook.activate(factor, of: user, session, at: date, step, codes) else { return false }
        endSessions(of: user, except: session)
        note(audit)
        return true
    }

    func use(
        _ step: Int64,
        of factor: FactorID,
        user: UserID,
        tenant: TenantID,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await self.user(user, of: tenant, by: deadline)?.isActive == true else { return false }
        return factorBook.use(step, of: factor, user: user)
    }

    func showAgain(
        _ codes: [String],
        of factor: FactorID,
        user: UserID,
        tenant: TenantID,
        in session: UserSessionID,
        usedUpTo step: Int64,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await self.user(user, of: tenant, by: deadline)?.isActive == true else { return false }
        guard factorBook.showAgain(codes, of: factor, user: user, in: session, step) else { return false }
        note(audit)
        return true
    }

    func useBackupCode(
        _ digest: String,
        of user: UserID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await self.user(user, of: tenant, by: deadline) != nil else { return false }
        guard factorBook.useCode(digest, of: user) else { return false }
        note(audit)
        return true
    }

    func removeFactors(
        of user: UserID,
        tenant: TenantID,
        audit: AuditEntry,
        by deadline: Deadline
    ) async throws(RecordsError) -> Bool {
        guard try await self.user(user, of: tenant, by: deadline) != nil, factorBook.remove(of: user) else {
            return false
        }
        note(audit)
        return true
    }
}
