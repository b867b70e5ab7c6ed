package import Conversation

/// Reasons for which the console refuses a request.
package enum ConsoleRefusal: Error, Equatable {
    /// The object does not exist or belongs to another tenant.
    case notFound
    /// The operator's role is too low; carries the required role.
    case needs(Operator.Role)
    /// The form was not issued to this session or comes from another site.
    case foreignForm
    /// The form cannot be parsed.
    case unreadableForm
    /// The request conflicts with the current state; carries a sentence for the operator.
    case conflict(String)
    /// The database does not answer.
    case unavailable(reason: String)

    /// Maps a database error.
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

    /// Message for the operator.
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
