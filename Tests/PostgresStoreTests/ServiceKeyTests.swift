import Conversation
import Cryptography
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

/// Keys by which callers are known.
@Suite(.timeLimit(.minutes(1)))
struct ServiceKeyTests {
    @Test func `a key is found by its digest before any tenant is known, and its use is noted`() async throws {
        try await withScratchRecords { scratch in
            let secret = RandomToken.text()
            let key = ServiceKey(
                tenant: scratch.tenant,
                name: "app",
                scopes: ["read", "turns"],
                createdAt: Self.created
            )
            try await scratch.records.store(key, digest: Digest.sha256(secret).hex, by: .soon)
            let found = try await scratch.records.key(digest: Digest.sha256(secret).hex, by: .soon)
            #expect(found?.id == key.id)
            #expect(found?.tenant == scratch.tenant)
            #expect(found?.scopes == ["read", "turns"])
            #expect(found?.createdAt == Self.created)
            #expect(found?.lastUsedAt.map { abs($0.timeIntervalSinceNow) < 60 } == true)
            #expect(try await scratch.records.key(digest: Digest.sha256("other").hex, by: .soon) == nil)
            #expect(try await scratch.records.key(digest: "", by: .soon) == nil)
        }
    }

    @Test func `a revoked key is not found, and stays in its tenant's list`() async throws {
        try await withScratchRecords { scratch in
            let digest = Digest.sha256("secret").hex
            let key = ServiceKey(tenant: scratch.tenant, name: "app", scopes: [], createdAt: Self.created)
            try await scratch.records.store(key, digest: digest, by: .soon)
            #expect(try await !scratch.records.revoke(key.id, tenant: TenantID(), by: .soon))
            #expect(try await scratch.records.key(digest: digest, by: .soon) != nil)
            #expect(try await scratch.records.revoke(key.id, tenant: scratch.tenant, by: .soon))
            #expect(try await !scratch.records.revoke(key.id, tenant: scratch.tenant, by: .soon))
            #expect(try await scratch.records.key(digest: digest, by: .soon) == nil)
            #expect(try await scratch.records.keys(of: scratch.tenant, by: .soon).map { $0.revokedAt != nil } == [true])
            #expect(try await scratch.records.keys(of: TenantID(), by: .soon) == [])
        }
    }

    @Test func `who shows one key sees that key only`() async throws {
        try await withScratchRecords { scratch in
            let digests = (0..<3).map { Digest.sha256("\($0)").hex }
            for digest in digests {
                let key = ServiceKey(tenant: scratch.tenant, name: digest, scopes: [], createdAt: Self.created)
                try await scratch.records.store(key, digest: digest, by: .soon)
            }
            let list = Statement("test_keys", [], "SELECT name FROM service_keys")
            let steal = Statement("test_steal", [.uuid], "UPDATE service_keys SET tenant_id = $1")
            let results = try await scratch.pool.run(Batch(.serviceKey(digest: digests[1]), [list()]), by: .soon)
            #expect(try results[0].map { row throws(RecordsError) in try row.read(String.self) } == [digests[1]])
            let theft = Batch(.serviceKey(digest: digests[1]), [steal(.uuid(UUID()))])
            guard case .refused("42501", _) = await failure(of: { try await scratch.pool.run(theft, by: .soon) }) else {
                throw TestFailure("a key could be moved to another tenant")
            }
        }
    }

    @Test(arguments: ["", "abc", String(repeating: "A", count: 64), String(repeating: "a", count: 63)])
    func `what is no digest is not stored`(digest: String) async throws {
        try await withScratchRecords { scratch in
            let key = ServiceKey(tenant: scratch.tenant, name: "app", scopes: [], createdAt: Self.created)
            let refusal = await failure { try await scratch.records.store(key, digest: digest, by: .soon) }
            guard case .refused("23514", _) = refusal else {
                throw TestFailure("it was \(String(describing: refusal))")
            }
        }
    }

    private static let created = Date(timeIntervalSince1970: 1_772_366_400.5)
}
