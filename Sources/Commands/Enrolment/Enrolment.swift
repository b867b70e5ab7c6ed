import Conversation
import Foundation
import Runtime

/// A tenant or patient to add to the database.
enum Enrolment: Sendable, Equatable {
    /// The demonstration tenant with its fictional household.
    case demonstration
    case tenant(TenantID, name: String)
    case patient(PatientChange)

    private static var nameLengths: ClosedRange<Int> { 1...200 }

    /// Parses it from the command line.
    ///
    /// - Throws: A sentence that says what is wrong with the arguments.
    init(_ arguments: Arguments) throws(CommandFailure) {
        switch (arguments.words.first, arguments.words.count) {
        case ("demonstration", 1): self = .demonstration
        case ("tenant", 2):
            self = .tenant(try Self.identity("id", arguments) ?? TenantID(), name: try Self.name(arguments))
        case ("patient", 2): self = .patient(try Self.patient(arguments))
        default: throw CommandFailure("hearth enrol \(EnrolCommand.words)", .usage)
        }
    }

    /// Identifier that callers need; for the demonstration, the patient's.
    var identity: String {
        switch self {
        case .demonstration: DemoHousehold.patient.id.description
        case .tenant(let id, _): id.description
        case .patient(let patient): patient.id.description
        }
    }

    /// Stores it; storing it again has no further effect.
    func store(in roster: some PatientRoster, by deadline: Deadline) async throws(RecordsError) {
        switch self {
        case .demonstration: try await DemoHousehold.store(in: roster, by: deadline)
        case .tenant(let id, let name): try await roster.openTenant(id, name: name, by: deadline)
        case .patient(let patient): try await roster.change(patient, by: deadline)
        }
    }

    private static func patient(_ arguments: Arguments) throws(CommandFailure) -> PatientChange {
        let timeZone = try arguments.options["time-zone"].map { zone throws(CommandFailure) in
            guard let found = TimeZone(identifier: zone) else {
                throw CommandFailure("There is no time zone \"\(zone)\".", .usage)
            }
            return found
        }
        let language = arguments.options["language"]
        if let language, Locale.Language(identifier: language).languageCode?.isISOLanguage != true {
            throw CommandFailure("There is no language \"\(language)\".", .usage)
        }
        return PatientChange(
            id: try identity("id", arguments) ?? PatientID(),
            tenant: try identity("tenant", arguments) ?? DemoHousehold.tenant,
            name: try name(arguments),
            timeZone: timeZone,
            language: language
        )
    }

    private static func name(_ arguments: Arguments) throws(CommandFailure) -> String {
        let name = arguments.words[1]
        guard nameLengths.contains(name.unicodeScalars.count), !name.contains("\0") else {
            throw CommandFailure("A name must have 1 to 200 characters.", .usage)
        }
        return name
    }

    private static func identity<Kind>(
        _ option: String,
        _ arguments: Arguments
    ) throws(CommandFailure) -> ID<Kind>? {
        guard let text = arguments.options[option] else { return nil }
        guard let identity = ID<Kind>(text) else { throw CommandFailure("--\(option) must be a UUID.", .usage) }
        return identity
    }
}
