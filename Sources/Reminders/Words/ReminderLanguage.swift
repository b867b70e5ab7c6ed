/// A language in which reminders are said and read back.
package enum ReminderLanguage: Sendable, Hashable, CaseIterable {
    case english, spanish

    /// The language of a BCP 47 tag such as "es-MX"; English when it is another.
    package init(tag: String) {
        self = tag.lowercased().hasPrefix("es") ? .spanish : .english
    }
}
