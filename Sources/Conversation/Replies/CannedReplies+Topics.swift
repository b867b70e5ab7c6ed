import Domain

extension CannedReplies {
    /// Returns the topic that a message names most often, the first of equals in the bundle; nil when it names none.
    func topic(of said: String, in language: String) -> TalkTopic? {
        let words = SpokenWords(said)
        let singular = SpokenWords(words.all.map(RecordForms.singular).joined(separator: " "))
        let language = String(language.prefix(2)).lowercased()
        var (best, most) = (TalkTopic?.none, 0)
        for topic in topics {
            let count = topic.count(in: words, singular, language: language)
            if count > most { (best, most) = (topic, count) }
        }
        return best
    }
}
