import Domain
import Foundation
import Runtime

/// Access to a patient: the devices that were set up, and the family's links.
extension AccountsPage {
    /// Address of the page of a patient's devices and links.
    static func path(ofPatient patient: PatientID) -> ConsolePath {
        ConsolePath("accounts", "people", patient.description)
    }

    var patientRoutes: [ConsoleRoute] {
        [
            .get("/accounts/people/{patient}", .admin, action: "access_look") { call async throws(ConsoleError) in
                try await show(call)
            },
            .post("/accounts/people/{patient}/devices/{device}/end", .admin, action: "device_end") {
                call async throws(ConsoleError) in try await endDevice(call)
            },
            .post("/accounts/people/{patient}/links/{user}/remove", .admin, action: "link_remove") {
                call async throws(ConsoleError) in try await removeLink(call)
            },
        ]
    }

    private func show(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let id: PatientID = try call.id("patient")
        return try await fromRecords { () throws(RecordsError) in
            let patient = try await records.entry(of: id, tenant: call.tenant, by: call.deadline).patient
            let devices = try await records.devices(of: id, tenant: call.tenant, by: call.deadline)
            var links: [(link: FamilyLink, user: User?)] = []
            for link in try await records.links(to: id, tenant: call.tenant, by: call.deadline).prefix(Self.pageSize) {
                links.append((link, try await records.user(link.user, of: call.tenant, by: call.deadline)))
            }
            let view = PatientAccessView(patient: id, devices: devices, links: links, call: call)
            return .page(title: "Access to \(patient.name)", view.html)
        }
    }

    private func endDevice(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let (patient, device): (PatientID, DeviceID) = (try call.id("patient"), try call.id("device"))
        let audit = AuditEntry(
            actor: call.actor,
            action: "device_revoked",
            patient: patient,
            details: ["device": device.description]
        )
        let wasInUse = try await fromRecords { () throws(RecordsError) in
            try await records.revoke(device, of: patient, tenant: call.tenant, audit: audit, by: call.deadline)
        }
        guard wasInUse else { throw .notFound }
        return .redirect(Self.path(ofPatient: patient), notice: "The device is ended, within five seconds everywhere.")
    }

    private func removeLink(_ call: ConsoleRequestContext) async throws(ConsoleError) -> ConsoleResponse {
        let (patient, user): (PatientID, UserID) = (try call.id("patient"), try call.id("user"))
        let audit = AuditEntry(
            actor: call.actor,
            action: "family_link_removed",
            patient: patient,
            details: ["user": user.description]
        )
        let wasThere = try await fromRecords { () throws(RecordsError) in
            try await records.removeLink(of: user, to: patient, tenant: call.tenant, audit: audit, by: call.deadline)
        }
        guard wasThere else { throw .notFound }
        return .redirect(Self.path(ofPatient: patient), notice: "The link is removed.")
    }
}

/// The devices and links of a patient.
struct PatientAccessView: Sendable {
    let patient: PatientID
    let devices: [Device]
    let links: [(link: FamilyLink, user: User?)]
    let call: ConsoleRequestContext

    var html: HTML {
        """
        <p><a href="\(ConsolePath.patient(patient))">To the patient</a></p>\
        <h2>Devices</h2>\(deviceTable)<h2>Family</h2>\(linkTable)
        """
    }

    private var deviceTable: HTML {
        var table = Table("Devices", columns: ["Name", "Software", "Set up", "Last used", "State"])
        for device in devices {
            let path = ConsolePath("accounts", "people", patient.description, "devices", device.id.description, "end")
            table.add(
                device.name.isEmpty ? "<span class=\"quiet\">unnamed</span>" : "<bdi>\(device.name)</bdi>",
                "<bdi>\(device.software)</bdi>",
                Figure.time(device.createdAt),
                device.seenAt.map(Figure.time) ?? "<span class=\"quiet\">never</span>",
                device.revokedAt == nil
                    ? call.form(to: path, "<button type=\"submit\" class=\"plain small\">End the device</button>")
                    : Badge("ended").html
            )
        }
        return table.html(ifEmpty: "No device was set up.")
    }

    private var linkTable: HTML {
        var table = Table("Family", columns: ["Name", "Relation", "May", "Since", "Link"])
        for (link, user) in links {
            let path = ConsolePath("accounts", "people", patient.description, "links", link.user.description, "remove")
            table.add(
                "<a href=\"\(AccountsPage.path(of: link.user))\"><bdi>\(user?.name ?? link.user.description)</bdi></a>",
                "<bdi>\(link.relation)</bdi>",
                "<code>\(link.scopes.sorted().map(\.rawValue).joined(separator: " "))</code>",
                Figure.time(link.createdAt),
                call.form(to: path, "<button type=\"submit\" class=\"plain small\">Remove the link</button>")
            )
        }
        return table.html(ifEmpty: "Nobody is linked.")
    }
}
