import Testing

@testable import Safety

/// Messages that ask the companion for a deed, and those that only speak of one.
@Suite struct RequestCueTests {
    @Test(arguments: [
        "Order me a large pepperoni from Sal's.", "I'm out of milk. Could you call the store?",
        "send a message to my sister", "My boy's late again, so ring him, would you?", "Oh, please do.",
        "Hearth dear, the lamp. Turn it off.", "And then book a cab for nine", "Will you wait up for me?",
        "Mándame a alguien con mis gotas.", "¿Puedes llamar a mi hijo?", "Ay, apaga la luz", "Dígale que ya voy.",
        "Pues llámelo, ándele",
    ])
    func `a request for a deed is recognised`(message: String) {
        #expect(RequestCue.isMade(in: Normaliser().normalise(message)))
    }

    @Test(arguments: [
        "", "?", "I ordered a pizza last night.", "My son said he would call.", "Anna will send it on Friday.",
        "We used to sing in the car.", "The order came on time, thank heaven.", "What time is it?",
        "I can order it myself.", "Ya me mandó las gotas mi hija.", "Mi hijo llama los domingos.",
        "Ayer pedí una pizza.",
        "¿Qué hora es?",
    ])
    func `talk about a deed is no request`(message: String) {
        #expect(!RequestCue.isMade(in: Normaliser().normalise(message)))
    }
}
