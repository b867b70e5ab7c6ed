import Domain
import Foundation
import PostgresStore
import Runtime
import TestSupport
import Testing

@testable import Console

/// Fields of passwords in a real Chromium: showing one, and how hard a new one is to guess.
@Suite(.serialized, .timeLimit(.minutes(3))) struct PasswordFieldTests {
    private func type(of field: String, _ browser: Browser) async throws -> String? {
        try await browser.run("return document.querySelector('#field-\(field)').type").string
    }

    @Test func `a password is seen on request, is hidden before it is sent, and a new one is judged while it is typed`()
        async throws
    {
        let proofs = PlayedProofs()
        try await withConsole(
            users: proofs,
            pages: { scratch, _ in [NotePage(), OwnAccountPage(scratch.records, proofs: proofs)] }
        ) { bench in
            let (tenant, date) = (bench.scratch.tenant, bench.time.date)
            let user = User(tenant: tenant, email: "rosa@example.org", name: "Rosa", role: .viewer, createdAt: date)
            let audit = AuditEntry(actor: "test", action: "made")
            #expect(try await bench.scratch.records.add(user, passwordHash: nil, audit: audit, by: .soon))
            proofs.know(user)
            try await withBrowser { browser in
                let address = "http://localhost:\(bench.port)/console"
                try await browser.go(to: "\(address)/sign-in?then=%2Fconsole%2Faccount")
                try await browser.wait(until: "document.querySelector('#field-password ~ .reveal')")
                try await browser.type(user.email, into: "#field-email")
                try await browser.type(PlayedProofs.password, into: "#field-password")
                #expect(try await type(of: "password", browser) == "password")
                try await browser.click("#field-password ~ .reveal")
                #expect(try await type(of: "password", browser) == "text")
                let pressed = "return document.querySelector('#field-password ~ .reveal').ariaPressed"
                #expect(try await browser.run(pressed) == "true")
                #expect(try await browser.run("return document.activeElement.id") == "field-password")
                for view in Browser.View.all {
                    try await browser.look(view)
                    #expect(try await browser.faults() == [], "sign-in \(view)")
                }
                let sent = """
                    const field = document.querySelector("#field-password");
                    field.form.addEventListener("submit", (event) => { event.preventDefault(); window.sent = field.type; });
                    field.form.requestSubmit();
                    return window.sent;
                    """
                #expect(try await browser.run(sent) == "password", "no browser keeps it among its words")
                try await browser.run("document.querySelector('#field-password').form.submit()")
                try await browser.wait(until: "document.querySelector('#field-code')")
                try await browser.type(PlayedProofs.code + "\u{E007}", into: "#field-code")
                try await browser.wait(until: "document.querySelector('#field-new ~ .reveal')")
                let said = "document.querySelector('.strength:not([hidden]) [role=status]')?.textContent"
                try await browser.type("short", into: "#field-new")
                try await browser.wait(until: "\(said) === 'A password has 12 to 128 characters.'")
                try await browser.type(" words of Rosa", into: "#field-new")
                try await browser.wait(until: "\(said) === 'Too easy to guess.'")
                try await browser.run("document.querySelector('#field-new').value = ''")
                try await browser.type("four quiet wooden kettles", into: "#field-new")
                try await browser.wait(until: "\(said) === 'Very hard to guess.'")
                #expect(try await browser.run("return document.querySelector('.strength meter').value") == 3)
                #expect(try await browser.run("return document.querySelectorAll('.strength').length") == 1)
                for view in Browser.View.all {
                    try await browser.look(view)
                    #expect(try await browser.faults() == [], "account \(view)")
                }
                #expect(try await browser.complaints() == [])
            }
        }
    }
}
