import Domain

/// The contacts of a patient with their numbers, channels and consent.
struct ContactsView: Sendable {
    let contacts: [ContactDetails]

    var html: HTML {
        var table = Table(
            "Contacts, in the order of notification",
            columns: ["Name", "Telephone", "Channels", "Consent"]
        )
        for details in contacts {
            let relation: HTML =
                details.contact.relation.isEmpty
                ? "" : " <span class=\"quiet\">\(Wording.say(details.contact.relation))</span>"
            let channels = details.channels.map { IncidentLabels.channel(AlertChannel($0)).description }.joined(
                separator: ", "
            )
            table.add(
                "<bdi>\(details.contact.name)</bdi>\(relation)",
                "\(details.phone.map(number) ?? "")",
                "\(channels)",
                details.hasConsented ? Badge("yes", .good).html : Badge("none: is not notified", .warning).html
            )
        }
        return table.html(
            ifEmpty: "No contacts yet, so nobody is notified but the operators. The customer's system adds them."
        )
    }

    private func number(_ phone: String) -> HTML {
        guard let number = TelephoneNumber(phone.filter { !" -().".contains($0) }) else { return "\(phone)" }
        return "<a href=\"\(number.address)\">\(phone)</a>"
    }
}
