import Domain
import Foundation

/// The words of a mail about a change of an account, in English and Spanish, since no user has a language.
///
/// It has no link: whoever reads it goes to the service by the usual way, and a forged one teaches no other.
struct AccountNoticeWords {
    let subject: String
    let text: String

    init(_ kind: AccountNoticeKind, at date: Date) {
        let (english, spanish) =
            switch kind {
            case .passwordChanged: ("Your password was changed", "Su contraseña ha cambiado")
            case .factorSet: ("An authenticator app was set up", "Se ha configurado una aplicación de autenticación")
            case .factorRemoved: ("Your authenticator app was removed", "Se ha quitado su aplicación de autenticación")
            case .keyAdded: ("A telephone can now sign you in", "Un teléfono puede ahora abrir su cuenta")
            }
        subject = "\(english) / \(spanish)"
        let day = Self.text(date)
        text = """
            \(english), on \(day).
            If it was you, there is nothing to do. If it was not, tell an administrator of your organisation at once.

            \(spanish), el \(day).
            Si fue usted, no tiene que hacer nada. Si no fue usted, avise enseguida a un administrador de su organización.

            """
    }

    /// The time to the minute, in the zone that all share.
    private static func text(_ date: Date) -> String {
        let minute = Date(timeIntervalSince1970: (date.timeIntervalSince1970 / 60).rounded(.down) * 60)
        let text = minute.formatted(.iso8601)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }
}
