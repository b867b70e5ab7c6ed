import Foundation

/// What is said without a model to somebody who is known: a line for what the message is about, with the patient's name, the
/// time of day and whom to ask, in English or Spanish.
///
/// Promises nothing and states no fact but what the record holds. Where harm may come from somebody close, nobody is named.
struct MemoryReplies: Sendable {
    private static let longestName = 20

    private let memory: PatientMemory?
    private let date: Date

    init(_ memory: PatientMemory?, at date: Date) {
        self.memory = memory
        self.date = date
    }

    /// The line; nil when nothing is remembered of the patient, or not even a name.
    func reply(to said: String, _ screening: Screening) -> String? {
        guard let memory, let name = Self.spoken(memory.patient.name) else { return nil }
        let isSpanish = memory.patient.language.lowercased().hasPrefix("es")
        let (english, spanish) = lines(Topic(said, screening), name, memory)
        return isSpanish ? spanish : english
    }

    private func lines(_ topic: Topic, _ name: String, _ memory: PatientMemory) -> (String, String) {
        switch topic {
        case .unwell:
            (
                "Please sit down and rest, \(name). Is there somebody with you?",
                "Siéntese y descanse, \(name). ¿Hay alguien con usted?"
            )
        case .unsafe:
            ("I'm here with you, \(name). Are you safe right now?", "Estoy con usted, \(name). ¿Está a salvo ahora?")
        case .lost: ("I'm with you, \(name). Where are you just now?", "Estoy con usted, \(name). ¿Dónde está ahora?")
        case .low:
            (
                "I'm sorry it is hard, \(name). Would you like to tell me more?",
                "Siento que sea difícil, \(name). ¿Quiere contarme más?"
            )
        case .food:
            (
                "Have you had something to eat and drink today, \(name)?",
                "¿Ha comido y bebido algo hoy, \(name)?"
            )
        case .farewell:
            (
                "Goodbye, \(name). I'm here whenever you want to talk.",
                "Adiós, \(name). Aquí estoy cuando quiera hablar."
            )
        case .greeting: greeting(name, memory.patient.timeZone)
        case .thanks:
            ("You're welcome, \(name). What would you like to talk about?", "De nada, \(name). ¿De qué quiere hablar?")
        case .question: question(name, memory.contacts)
        case .other:
            (
                "I'm here with you, \(name). Would you like to tell me a little more?",
                "Estoy aquí con usted, \(name). ¿Quiere contarme un poco más?"
            )
        }
    }

    private func greeting(_ name: String, _ zone: TimeZone) -> (String, String) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let (english, spanish) =
            switch calendar.component(.hour, from: date) {
            case 5..<12: ("Good morning", "Buenos días")
            case 12..<18: ("Good afternoon", "Buenas tardes")
            case 18..<22: ("Good evening", "Buenas noches")
            default: ("Hello", "Hola")
            }
        return (
            "\(english), \(name). It's good to hear you. How are you?",
            "\(spanish), \(name). Me alegra oírle. ¿Cómo está?"
        )
    }

    /// Names the contact who comes first; never one who is told of abuse, for whose role should stay unspoken.
    private func question(_ name: String, _ contacts: [Contact]) -> (String, String) {
        let first = contacts.filter { !$0.isForAbuse }.min { $0.priority < $1.priority }
        let contact = first.flatMap { Self.spoken($0.name) }
        return (
            "I'm not sure about that, \(name). Would you like me to ask \(contact ?? "your family")?",
            "No estoy seguro, \(name). ¿Quiere que pregunte a \(contact ?? "su familia")?"
        )
    }

    /// The first of somebody's names, if it is a name to be spoken.
    private static func spoken(_ name: String) -> String? {
        guard let first = name.split(whereSeparator: \.isWhitespace).first, first.count <= longestName,
            first.allSatisfy({ $0.isLetter || "'’-".contains($0) })
        else { return nil }
        return String(first)
    }
}

/// What a message is about, as far as a line of ours can tell.
private enum Topic {
    case unwell, unsafe, lost, low, food, farewell, greeting, thanks, question, other

    private static let greetings = SpokenPhrases([
        "hello", "hi", "hey", "good morning", "good afternoon", "good evening", "hola", "buenos días", "buenas tardes",
        "buenas noches",
    ])
    private static let gratitude = SpokenPhrases(["thank you", "thanks", "gracias"])

    init(_ said: String, _ screening: Screening) {
        self = screening.findings.first { $0.level > .none }.map { Topic($0.category) } ?? Topic(ordinary: said)
    }

    private init(_ category: Category) {
        self =
            switch category {
            case .fall, .cardiac, .breathing, .stroke, .bleeding, .unconscious, .otherMedical, .medication: .unwell
            case .abuse, .neglect, .environment, .selfHarm, .scam, .emergencyButton: .unsafe
            case .confusion, .wandering: .lost
            case .distress, .inactivity, .noResponse, .systemDegraded, .request, .event: .low
            case .nutrition: .food
            }
    }

    private init(ordinary said: String) {
        let words = SpokenWords(said)
        if KeepListening.isGoodbye(said) {
            self = .farewell
        } else if said.contains(where: { "?¿".contains($0) }) {
            self = .question
        } else if words.all.count <= 6, words.hold(Self.gratitude) {
            self = .thanks
        } else if words.all.count <= 6, words.hold(Self.greetings) {
            self = .greeting
        } else {
            self = .other
        }
    }
}
