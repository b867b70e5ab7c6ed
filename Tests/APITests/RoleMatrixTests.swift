import Cryptography
import Domain
import Evaluation
import Foundation
import HTTPServing
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import API

/// Every route with every role on own, linked and foreign rows, as the table of roles says, over PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct RoleMatrixTests {
    /// Whose row a request is about.
    private enum Row: CaseIterable { case reached, foreign }

    /// A patient with an alert and a conversation, and the identities by which requests name them.
    private struct Household {
        let patient: Patient
        let alert: AlertID
        let conversation: ConversationID

        static func make(_ patient: Patient, in scratch: ScratchRecords) async throws -> Household {
            let turn = Turn(
                tenant: patient.tenant,
                patient: patient.id,
                text: "I fell",
                spokenAt: Date(),
                receivedAt: Date()
            )
            let alert = Alert(level: .high, category: .fall, finding: nil, summary: "\(patient.name) fell", lateBy: 0)
            let conversation = ConversationID()
            try await scratch.records.record(
                RecordedTurn(
                    turn: turn,
                    conversation: conversation,
                    screening: Screening(),
                    decision: Decision(
                        level: .high,
                        alerts: [alert],
                        reportsScam: false,
                        state: ConversationState()
                    ),
                    reminderAnswer: nil
                ),
                by: .soon
            )
            return Household(patient: patient, alert: alert.id, conversation: conversation)
        }
    }

    private struct World {
        let bench: Bench
        let scratch: ScratchRecords
        let reached: Household
        let foreign: Household
    }

    private func withWorld(_ body: (World) async throws -> Void) async throws {
        try await withScratchRecords { scratch in
            let other = Patient(id: PatientID(), tenant: DemoHousehold.tenant, name: "Zebra", timeZone: .gmt)
            let time = VirtualTime(date: Date())
            let bench = try await Bench(time: time, over: scratch.records, knowing: [other.id])
            try await scratch.records.store(other, by: .soon)
            try await body(
                World(
                    bench: bench,
                    scratch: scratch,
                    reached: .make(DemoHousehold.patient, in: scratch),
                    foreign: .make(other, in: scratch)
                )
            )
        }
    }

    /// The access token of a new user of a role, who reaches the first household if anybody.
    private func token(_ role: UserRole, _ world: World, scopes: Set<KeyScope>? = nil) async throws -> String {
        let records = world.scratch.records
        let audit = AuditEntry(actor: "test", action: "made")
        let tenant = DemoHousehold.tenant
        let user = User(
            tenant: tenant,
            email: "\(UUID().uuidString.lowercased())@example.org",
            name: "A",
            role: role,
            patient: role == .senior ? world.reached.patient.id : nil,
            createdAt: world.bench.time.date
        )
        #expect(try await records.add(user, passwordHash: nil, audit: audit, by: .soon))
        if role == .family {
            let link = FamilyLink(
                patient: world.reached.patient.id,
                user: user.id,
                relation: "daughter",
                scopes: scopes ?? role.scopes,
                createdAt: world.bench.time.date
            )
            #expect(try await records.store(link, tenant: tenant, audit: audit, by: .soon))
        }
        let end = world.bench.time.date.addingTimeInterval(86_400)
        let session = UserSession(
            user: user.id,
            tenant: tenant,
            client: "",
            createdAt: world.bench.time.date,
            endsAt: end
        )
        try await records.open(session, refresh: (Digest.sha256("\(user.id)").hex, end), audit: audit, by: .soon)
        let claims = AccessTokens.Claims(user: user.id, session: session.id, tenant: tenant)
        return world.bench.tokens.text(for: claims, at: world.bench.time.date)
    }

    /// A request with the examples of the document, about a household.
    private func ask(_ world: World, _ route: Route, _ household: Household, _ token: String) async throws -> Received {
        func named(_ text: String) -> String {
            text.replacing(Bench.patient, with: household.patient.id.description)
                .replacing(Examples.alert.string ?? "", with: household.alert.description)
                .replacing(Examples.conversation.string ?? "", with: household.conversation.description)
        }
        var (path, query): (String, [String]) = (route.path, [])
        var headers = [("If-Match", "*"), ("Idempotency-Key", UUID().uuidString)]
        for parameter in route.operation.ownParameters where parameter.isRequired || parameter.place == .path {
            let value = named(try #require(parameter.example?.string, "\(parameter.name) of \(route.path)"))
            switch parameter.place {
            case .path: path = path.replacing("{\(parameter.name)}", with: value)
            case .query: query.append("\(parameter.name)=\(value)")
            case .header: headers.append((parameter.name, value))
            }
        }
        let target = query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
        let body = route.operation.body.map { Array(named($0.example.text).utf8) } ?? []
        return try await world.bench.send(route.method, target, key: token, headers: headers, body: body)
    }

    /// The names of the things that a route may be about, by which a foreign one is not found.
    private static let missing: Set<String> = [
        "patient_not_found", "alert_not_found", "conversation_not_found", "reminder_not_found",
    ]
    /// Routes that list what the caller reaches, or read no patient's row.
    private static let lists: Set<String> = [
        "/api/v1/patients", "/api/v1/alerts", "/v1/models", "/v1/models/{model}",
    ]

    @Test(arguments: UserRole.allCases.filter { $0.scopes != [.admin] })
    func `every cell is as the table says`(role: UserRole) async throws {
        try await withWorld { world in
            let token = try await token(role, world)
            for route in world.bench.routes.all where route.operation.needsKey {
                let operation = route.operation
                for row in Row.allCases {
                    let household = row == .reached ? world.reached : world.foreign
                    let answer = try await ask(world, route, household, token)
                    let cell =
                        "\(role.rawValue) \(route.method.rawValue) \(route.path) \(row): \(answer.status) \(answer.code ?? "")"
                    #expect(answer.status != 401 && answer.status < 500, "\(cell)")
                    if let scope = operation.scope, role.scopes.allow(scope), operation.name == "rotateDeviceKey" {
                        #expect(answer.code == "user_required", "\(cell)")
                    } else if let scope = operation.scope, !role.scopes.allow(scope) {
                        #expect(answer.code == "scope_forbidden", "\(cell)")
                    } else if operation.isTenantWide, role.rows != .tenant {
                        #expect(answer.code == "role_forbidden", "\(cell)")
                    } else if row == .foreign, role.rows != .tenant {
                        let isRefused = Self.missing.contains(answer.code ?? "") || answer.code == "role_forbidden"
                        #expect(isRefused || Self.lists.contains(route.path), "\(cell)")
                        #expect(!answer.text.localizedCaseInsensitiveContains("zebra fell"), "\(cell)")
                    } else {
                        let isForbidden = answer.status == 403 && answer.code != "role_forbidden"
                        #expect(!isForbidden && answer.code != "patient_not_found", "\(cell) \(answer.text)")
                    }
                }
            }
            let people = try await world.scratch.database.run(
                "SELECT display_name FROM hearth.people WHERE id = '\(world.foreign.patient.id)'"
            )
            #expect(people == [["Zebra"]], "nothing of the foreign patient has changed")
        }
    }

    @Test func `lists show whom the caller reaches, and nobody else`() async throws {
        try await withWorld { world in
            for (role, count) in [(UserRole.viewer, 2), (.family, 1)] {
                let token = try await token(role, world)
                for path in ["/api/v1/patients", "/api/v1/alerts", "/api/v1/patients?page=1"] {
                    let answer = try await world.bench.send(.get, path, key: token)
                    #expect(answer.json["data"]?["items"]?.array?.count == count, "\(role) \(path): \(answer.text)")
                }
            }
            let alone = try await token(.family, world, scopes: [])
            let answer = try await world.bench.send(.get, "/api/v1/patients", key: alone)
            #expect(answer.json["data"]?["items"]?.array?.isEmpty == true)
        }
    }

    @Test func `a caregiver sees what the link allows, from when it says so until it is removed`() async throws {
        try await withWorld { world in
            let bench = world.bench
            let family = try await token(.family, world, scopes: FamilyLink.usual)
            let me = try await bench.send(.get, "/api/v1/auth/me", key: family)
            let member = try #require(me.json["data"]?["id"]?.string)
            let senior = try await token(.senior, world)
            let profile = "/api/v1/patients/\(Bench.patient)/profile"
            let talk = "/api/v1/conversations?patient_id=\(Bench.patient)"
            let said = "/api/v1/conversations/\(world.reached.conversation)/messages?patient_id=\(Bench.patient)"
            #expect(try await bench.send(.get, profile, key: family).status == 200)
            #expect(try await bench.send(.get, talk, key: family).code == "patient_not_found")
            func allow(_ scopes: String, by key: String) async throws -> Received {
                let body = #"{"patient_id":"\#(Bench.patient)","member_id":"\#(member)","scopes":[\#(scopes)]}"#
                return try await bench.send(.put, "/api/v1/family-links", key: key, body: Array(body.utf8))
            }
            let wide = #""patients:read","patients:write","conversations:read""#
            #expect(try await allow(wide, by: family).code == "patient_not_found", "no writing is allowed yet")
            #expect(try await allow(wide, by: senior).status == 200)
            bench.time.advance(by: .seconds(5))
            #expect(try await bench.send(.get, talk, key: family).status == 200)
            #expect(try await bench.send(.get, said, key: family).status == 200)
            #expect(try await allow(#""alerts:read""#, by: family).code == "role_forbidden", "no member decides")
            #expect(try await allow(#""keys""#, by: senior).status == 422)
            #expect(try await allow("", by: Bench.otherAdminKey).status == 404)
            let gone = "/api/v1/family-links?patient_id=\(Bench.patient)&member_id=\(member)"
            #expect(try await bench.send(.delete, gone, key: family).code == "role_forbidden")
            #expect(try await bench.send(.delete, gone, key: senior).status == 200)
            #expect(try await bench.send(.delete, gone, key: senior).code == "user_not_found")
            bench.time.advance(by: .seconds(5))
            for path in [profile, talk] {
                #expect(try await bench.send(.get, path, key: family).code == "patient_not_found")
            }
            let audit = try await world.scratch.database.run(
                "SELECT action FROM hearth.audit WHERE action LIKE 'family_link%' ORDER BY id"
            )
            #expect(audit == [["family_link_stored"], ["family_link_removed"]])
        }
    }

    @Test func `a senior speaks for themselves alone, also while the records are away`() async throws {
        let bench = try await Bench()
        let audit = AuditEntry(actor: "test", action: "made")
        let (tenant, date) = (DemoHousehold.tenant, bench.time.date)
        let user = User(
            tenant: tenant,
            email: "maggie@example.org",
            name: "Maggie",
            role: .senior,
            patient: DemoHousehold.patient.id,
            createdAt: date
        )
        _ = try await bench.users.add(user, passwordHash: nil, audit: audit, by: .soon)
        let session = UserSession(user: user.id, tenant: tenant, client: "", createdAt: date, endsAt: date + 86_400)
        try await bench.users.open(session, refresh: ("d", date + 86_400), audit: audit, by: .soon)
        let claims = AccessTokens.Claims(user: user.id, session: session.id, tenant: tenant)
        let token = bench.tokens.text(for: claims, at: date)
        let path = "/api/v1/conversations/patient"
        #expect(try await bench.post(path, PatientMessageTests.body("hello"), key: token).status == 200)
        bench.records.failure = .unavailable(reason: "away")
        let foreign = #"{"patient_id":"\#(Bench.unknownPatient)","message":"hello"}"#
        let answer = try await bench.post(path, foreign, key: token)
        #expect(answer.code == "patient_not_found" && answer.field == "patient_id")
        let chat = #"{"model":"hearth","user":"\#(Bench.unknownPatient)","messages":[{"role":"user","content":"a"}]}"#
        #expect(try await bench.post("/v1/chat/completions", chat, key: token).code == "patient_not_found")
        let header = [("X-Patient-Id", Bench.unknownPatient)]
        let hidden = #"{"model":"hearth","messages":[{"role":"user","content":"a"}]}"#
        #expect(try await bench.post("/v1/chat/completions", hidden, key: token, headers: header).status == 404)
    }
}
