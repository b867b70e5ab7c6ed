import Conversation
import Safety
import Testing

/// What an answer to a check means: only a plain one is good.
@Suite struct CheckAnswerTests {
    private static let good = [
        "no", "No.", "nope", "no thank you", "No, I'm fine", "no I'm fine", "I'm okay", "I'm all right now",
        "don't worry",
        "No, I didn't hit my head", "no I did not", "no, nothing hurts", "No pain at all.", "I'm not hurt",
        "it doesn't hurt",
        "I'm not bleeding or dizzy", "No my head is fine", "not at all", "oh no dear, I'm up now",
        "it was nothing, false alarm",
        "no it's not bad", "I'm fine, thank you, I'm sitting in my chair", "fine", "no, nothing is broken",
        "estoy bien", "no",
        "no, estoy bien", "no me duele nada", "no, no me golpeé la cabeza", "no sangro", "No tengo dolor",
    ]

    private static let worse = [
        "yes", "Yes, I hit my head", "yeah", "a little", "both", "I did", "I can't get up", "no I can't get up",
        "no can't get up",
        "No my head is fine but I can't get up", "no no no help me", "I am fine, I broke my hip",
        "I did hit my head but I'm fine",
        "No, but I can't feel my legs", "No pain but I am very sleepy", "no, I already took the pills",
        "no my head hurts",
        "No. Bleeding.", "I'm not okay", "I'm not feeling well", "it's hard to get up", "no, it won't stop bleeding",
        "No I am not all right", "not good", "I passed out", "no, only my wrist hurts", "I'm fine but there's blood",
        "sí",
        "no puedo levantarme", "no, ya me tomé las pastillas", "me duele la cadera", "no, pero me duele la cabeza",
        "no estoy bien", "ayúdame",
    ]

    private static let unclear = [
        "well the carpet was loose", "I don't know", "maybe", "not sure", "I think I'm fine", "never mind", "ok",
        "please",
        "what did you say", "my cat jumped", "no, my lips look blue", "no but my fingers look funny",
        "no I had soup for lunch",
        "fine I guess", "later", "", "hmm", "no the man says so", "Milo?", "what's the weather", "no sé", "quizás",
        "luego",
        "yes I'm fine", "I'm fine and the cat ran away and then the neighbor came by and so we had a long talk",
    ]

    @Test(arguments: good)
    func `a plain no or fine is a good answer to whether somebody is hurt`(said: String) {
        #expect(CheckAnswer(said, about: .fall).meaning(.yes) == .better)
    }

    @Test(arguments: worse)
    func `words of harm are a bad answer, whatever stands before them`(said: String) {
        #expect(CheckAnswer(said, about: .fall).meaning(.yes) == .worse)
    }

    @Test(arguments: unclear)
    func `what is not understood is neither`(said: String) {
        #expect(CheckAnswer(said, about: .fall).meaning(.yes) == .unclear)
    }

    @Test(arguments: [
        ("yes", CheckAnswer.Meaning.better), ("Yes, I'm safe", .better), ("I'm safe now", .better),
        ("I'm fine", .better),
        ("sí, estoy bien", .better), ("no", .worse), ("No, I'm not", .worse), ("yes but he is coming back", .worse),
        ("yes, but I'm scared", .worse), ("I'm not safe", .worse), ("no, he hits me", .worse),
        ("No, I'm fine", .unclear),
        ("I don't know", .unclear), ("yes, he went to the shop", .unclear), ("why do you ask", .unclear),
    ])
    func `asked whether they are safe, no is the worse answer`(said: String, meaning: CheckAnswer.Meaning) {
        #expect(CheckAnswer(said, about: .abuse).meaning(.no) == meaning)
    }

    @Test(arguments: [
        ("no", CheckAnswer.Meaning.better), ("no, I'm all right", .better), ("I have a gun", .worse),
        ("tonight", .worse),
        ("no, I already took the pills", .worse), ("no, ya me tomé las pastillas", .worse), ("goodbye", .worse),
        ("no but I'm tired of it all", .worse), ("my back hurts", .unclear), ("I'm dizzy", .unclear),
        ("I just miss him", .unclear),
    ])
    func `asked about self-harm, what can end a life counts, and what merely hurts is asked again`(
        said: String,
        meaning: CheckAnswer.Meaning
    ) {
        #expect(CheckAnswer(said, about: .selfHarm).meaning(.yes) == meaning)
    }
}
