/// Corrects common errors of speech recognition and typing in relevant words.
///
/// Each correction replaces one to four words; the longest match wins. No correction contains the beginning of another.
enum SpeechSlips {
    static func corrected(_ tokens: [Token]) -> [Token] {
        guard tokens.contains(where: { byFirstWord[$0.text] != nil }) else { return tokens }
        var corrected: [Token] = []
        var place = 0
        while place < tokens.count {
            guard let slip = slip(at: place, in: tokens) else {
                corrected.append(tokens[place])
                place += 1
                continue
            }
            let end = place + slip.heard.count
            let origin = tokens[place].origin.lowerBound..<tokens[end - 1].origin.upperBound
            for (index, word) in slip.meant.enumerated() {
                let before = index == 0 ? tokens[place].before : .none
                corrected.append(Token(text: word, origin: origin, before: before))
            }
            place = end
        }
        return corrected
    }

    private struct Slip: Sendable {
        let heard: [String]
        let meant: [String]
    }

    private static func slip(at place: Int, in tokens: [Token]) -> Slip? {
        byFirstWord[tokens[place].text]?.first { slip in
            guard place + slip.heard.count <= tokens.count else { return false }
            return slip.heard.indices.allSatisfy { offset in
                let token = tokens[place + offset]
                return token.text == slip.heard[offset] && (offset == 0 || token.before == .none)
            }
        }
    }

    private static let byFirstWord: WordTable<[Slip]> = {
        var slips: [String: [Slip]] = [:]
        for (heard, meant) in corrections {
            let words = heard.split(separator: " ").map(String.init)
            let slip = Slip(heard: words, meant: meant.split(separator: " ").map(String.init))
            slips[words[0], default: []].append(slip)
        }
        return WordTable(slips.mapValues { $0.sorted { $0.heard.count > $1.heard.count } })
    }()

    private static let corrections: KeyValuePairs<String, String> = [
        "sewer side": "suicide", "sue aside": "suicide", "suicidle": "suicidal", "suisidal": "suicidal",
        "suicidel": "suicidal", "sucide": "suicide", "suacide": "suicide", "unalive": "kill", "kms": "kill myself",
        "kys": "kill yourself", "giftcard": "gift card", "giftcards": "gift cards", "gif card": "gift card",
        "gif cards": "gift cards", "gift guard": "gift card", "gift guards": "gift cards", "gift cart": "gift card",
        "gift carts": "gift cards", "bit coin": "bitcoin",
        "bit coins": "bitcoin", "bitcoins": "bitcoin", "big coin": "bitcoin", "crypto currency": "cryptocurrency",
        "any desk": "anydesk", "team viewer": "teamviewer", "ultra viewer": "ultraviewer", "medi care": "medicare",
        "medicade": "medicaid", "medicair": "medicare", "zell": "zelle", "zel": "zelle", "venmoe": "venmo",
        "pay pal": "paypal", "micro soft": "microsoft", "what is app": "whatsapp", "whats app": "whatsapp",
        "face book": "facebook", "social securities": "social security", "so so security": "social security",
        "socials security": "social security", "i r s": "irs", "the i r s": "the irs", "s s n": "ssn",
        "ss n": "ssn", "dizzie": "dizzy", "dissy": "dizzy", "diziness": "dizziness", "chess pain": "chest pain",
        "chess pains": "chest pains", "chest pane": "chest pain", "chess hurts": "chest hurts",
        "chest panes": "chest pains", "short of breathe": "short of breath", "can not breath": "can not breathe",
        "not breath": "not breathe", "hard attack": "heart attack", "hart attack": "heart attack",
        "art attack": "heart attack", "a fib": "afib", "blood dinner": "blood thinner",
        "blood dinners": "blood thinners", "blood tinner": "blood thinner", "insulen": "insulin",
        "warferin": "warfarin", "coumadine": "coumadin", "ibuprophen": "ibuprofen", "tylonol": "tylenol",
        "medecine": "medicine", "medicin": "medicine", "meds": "medicines", "felled": "fell",
        "i fail down": "i fell down",
        "i feel down the": "i fell down the", "i feel on the floor": "i fell on the floor",
        "i feel off": "i fell off", "can not git up": "can not get up",
        "bleading": "bleeding", "bleding": "bleeding", "vommiting": "vomiting", "throwed up": "threw up",
        "emergancy": "emergency", "ambulence": "ambulance", "amblance": "ambulance", "burgler": "burglar",
        "carbon monoxcide": "carbon monoxide", "gas lick": "gas leak", "smoak": "smoke", "hungrey": "hungry",
        "lonley": "lonely", "confuzed": "confused", "loosing": "losing", "grand son": "grandson",
        "grand daughter": "granddaughter", "grand child": "grandchild", "over dose": "overdose",
        "over dosed": "overdosed", "pass word": "password", "pass code": "passcode", "log in": "login",
        "wire transfered": "wire transferred", "e mail": "email", "post man": "postman", "text ed": "texted",
        "sweep stakes": "sweepstakes", "sweapstakes": "sweepstakes", "lotery": "lottery", "inharitance": "inheritance",
        "policeman": "police officer", "cops": "police", "grandma": "grandmother", "grandpa": "grandfather",
        "nine eleven": "911", "blud": "blood", "brused": "bruised", "brusing": "bruising", "stomache": "stomach",
        "neumonia": "pneumonia", "pneumonya": "pneumonia", "slured": "slurred", "slurd": "slurred",
        "droopping": "drooping", "alzheimers": "alzheimer", "old timers disease": "alzheimer disease",
    ]
}
