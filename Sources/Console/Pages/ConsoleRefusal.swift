package import Conversation

/// Why the console does not answer as asked.
package enum ConsoleRefusal: Error, Equatable {
    /// There is no such thing, or it is another tenant's.
    case notFound
    /// The role is not enough; this one is.
    case needs(Operator.Role)
    /// The form is not one that we gave to this session, or comes from another site.
    case foreignForm
    /// The form cannot be read.
    case unreadableForm
    /// What is asked does not fit with what is: a sentence for the operator.
    case conflict(String)
    /// The records do not answer.
    case unavailable(reason: String)

    /// What a failure of the records means here.
    package init(_ error: RecordsError) {
        switch error {
        case .unknownPatient: self = .notFound
        default: self = .unavailable(reason: "\(error)")
        }
    }

    var status: Int {
        switch self {
        case .notFound: 404
        case .needs, .foreignForm: 403
        case .unreadableForm: 400
        case .conflict: 409
        case .unavailable: 503
        }
    }

    /// A sentence for the operator.
    var sentence: String {
        switch self {
        case .notFound: "There is nothing here. It may have been removed, or the address is not whole."
        case .needs(let role): "This needs the role \(role.rawValue). Ask somebody who has it."
        case .foreignForm:
            "This form does not come from your session. Go back, load the page again and send it once more."
        case .unreadableForm: "The form could not be read. Go back and send it once more."
        case .conflict(let sentence): sentence
        case .unavailable: "The records do not answer at the moment. Try again in a minute."
        }
    }
}
