import Testing

@testable import Conversation
@testable import Domain

/// Facts are stored only if the patient said them.
struct FactGroundingTests {
    @Test(
        arguments: [
            ("My cat is called Biscuit.", .other, "Maggie has a cat named Biscuit."),
            (
                "My sister Carol lives in Leeds, and I can't stand fish.", .person,
                "Maggie has a sister called Carol who lives in Leeds."
            ),
            ("My sister Carol lives in Leeds, and I can't stand fish.", .preference, "Maggie does not like fish."),
            ("I hate fish.", .preference, "Maggie hates fish."),
            ("I take lisinopril, 10 mg, every morning.", .medicine, "Maggie takes 10 mg of lisinopril every morning."),
            ("Peanuts make my throat swell up.", .allergy, "Maggie is allergic to peanuts."),
            ("I'm allergic to penicillin", .allergy, "Maggie is allergic to penicillin."),
            ("No, I take it at night. The warfarin, I mean.", .medicine, "Maggie takes warfarin."),
            ("My daughter Anna is at 555-0134.", .contact, "Maggie's daughter Anna is at 555-0134."),
            ("I worked as a nurse for thirty years", .event, "Maggie worked thirty years as a nurse."),
            ("I don't eat meat anymore.", .preference, "Maggie does not eat meat."),
            ("La penicilina me da alergia, ya lo sabe mi hija.", .allergy, "Maggie es alérgica a la penicilina."),
            ("Nací en un pueblo de Asturias.", .place, "Maggie nació en un pueblo de Asturias."),
            ("Mi hija se llama Lucía.", .person, "Maggie tiene una hija llamada Lucia."),
            ("Tomo el enalapril por la mañana.", .medicine, "Maggie toma enalapril por la mañana."),
        ] as [(String, Fact.Kind, String)]
    )
    func `a fact in the patient's words is kept`(_ said: String, _ kind: Fact.Kind, _ text: String) {
        #expect(supports(said, kind, text))
    }

    @Test(
        arguments: [
            ("I had a lovely day.", .other, "Maggie has a cat named Biscuit."),
            ("My cat is called Biscuit.", .other, "Maggie has a cat named Biscuit and a dog named Rex."),
            ("My sister lives in Leeds.", .person, "Maggie has a sister called Carol who lives in Leeds."),
            ("I take lisinopril every morning.", .medicine, "Maggie takes 10 mg of lisinopril every morning."),
            ("I take 10 mg of lisinopril.", .medicine, "Maggie takes 100 mg of lisinopril."),
            ("I take a pill in the morning.", .medicine, "Maggie takes a statin pill for cholesterol."),
            ("Do I take aspirin?", .medicine, "Maggie takes aspirin."),
            ("Should I take aspirin? I have a headache.", .medicine, "Maggie takes aspirin."),
            ("¿Tomo aspirina?", .medicine, "Maggie toma aspirina."),
            ("I'm not allergic to nuts.", .allergy, "Maggie is allergic to nuts."),
            ("I am allergic to nuts.", .allergy, "Maggie is not allergic to nuts."),
            ("I don’t like fish, but I eat eggs.", .preference, "Maggie likes fish."),
            ("My husband takes warfarin.", .medicine, "Maggie takes warfarin."),
            ("My neighbour has diabetes.", .condition, "Maggie has diabetes."),
            ("Mi marido toma warfarina.", .medicine, "Maggie toma warfarina."),
            ("My knee hurts.", .condition, "Maggie has osteoarthritis in her knee and takes painkillers."),
            ("Call 555-0134.", .contact, "Anna's number is 555-0199."),
            ("Hello!", .other, "Maggie."),
            ("", .other, "Maggie has a cat."),
            ("My cat sleeps.", .other, "The of and."),
        ] as [(String, Fact.Kind, String)]
    )
    func `a fact that the patient did not state is dropped`(_ said: String, _ kind: Fact.Kind, _ text: String) {
        #expect(!supports(said, kind, text))
    }

    private func supports(_ said: String, _ kind: Fact.Kind, _ text: String) -> Bool {
        FactGrounding(said: said, by: "Maggie").supports(.init(kind: kind, subject: "subject", text: text))
    }
}
