/// Memories of one patient and other ways to speak of them, with as few words in common as may be.
enum Paraphrases {
    /// Questions, each with the memory that it is about.
    static let questions: [(asked: String, memory: String)] = [
        ("What is my pet called?", "My cat is named Biscuit. / What a sweet name for a cat!"),
        ("I wonder how the little fellow in kindergarten is doing", grandson),
        ("My legs hurt when I climb the stairs", knees),
        ("Who is going to drive me to the hospital?", "Rosa takes me to my doctor on Thursdays. / Rosa is kind."),
        ("I can't hear what people say to me", hearing),
        ("What did I do for a living?", "I worked as a nurse for thirty years. / You helped so many people."),
        ("I miss my husband so much", "Harold died in spring and the house is quiet. / I'm so sorry."),
        ("Which nuts make me ill?", "Peanuts make my throat swell up. / I'll remember that."),
        ("I want to listen to some music", "I love old jazz records, Ella above all. / Wonderful voice."),
        ("The pills for my blood make me dizzy", lisinopril),
        ("I had a bad dream again", "I hardly sleep, I lie awake until three. / That sounds tiring."),
        ("What should I cook tonight?", "I make chicken soup the way Mother did. / It must smell lovely."),
        ("Someone asked me for my bank card number", scam),
        ("My plants need looking after", "I water the tomatoes on the balcony. / They'll grow well."),
        ("I feel alone these days", "Nobody has visited me in weeks. / I'm here to talk."),
        ("Tell me about the war", "My father fought in Normandy. / He must have been brave."),
        ("¿Cómo se llama mi perro?", "Mi perrito se llama Canelo. / ¡Qué nombre tan bonito!"),
        ("Me cuesta mucho caminar", "Me duelen las rodillas al andar. / Lo siento mucho."),
        ("¿Qué medicina tomo para la tensión?", "Tomo enalapril por la mañana. / Muy bien."),
        ("Echo de menos a mi mujer", "Mi esposa Carmen murió hace dos años. / La recuerda con cariño."),
        ("¿De dónde soy?", "Nací en un pueblo de Asturias. / Una tierra preciosa."),
        ("I have a dog, do I not?", "Mi perrito se llama Canelo. / ¡Qué nombre tan bonito!"),
        ("Where was I born?", "Nací en un pueblo de Asturias. / Una tierra preciosa."),
    ]

    /// Questions that need more knowledge of the world than so small a model has.
    static let hardQuestions: [(asked: String, memory: String)] = [
        ("When is the birthday of my girl?", "Anna turns fifty in March. / What a lovely occasion."),
        ("Is there a match on television?", "I never miss the Red Sox. / Go Sox!"),
        ("Do I need glasses?", "The letters in the newspaper are blurry. / Have you told Rosa?"),
        ("Quiero rezar un poco", "Los domingos voy a misa con mi hermana. / Qué bien."),
    ]

    /// Every memory, those that nothing asks for among them.
    static let memories =
        (questions + hardQuestions).map(\.memory).reduce(into: [String]()) { memories, memory in
            if !memories.contains(memory) { memories.append(memory) }
        } + others

    private static let grandson = "Tommy started school and counts to ten. / He sounds clever."
    private static let knees = "My knees ache when I walk up to my flat. / That must be hard."
    private static let hearing = "My hearing aid whistles and I miss half of it. / How annoying."
    private static let lisinopril = "I take lisinopril against high pressure. / Thank you for telling me."
    private static let scam = "A man on the phone wanted my savings account. / Please don't share it."

    private static let others = [
        "The postman came early today. / Was there anything nice?",
        "I had toast and jam for breakfast. / That sounds good.",
        "It is cold outside, I stay in. / Keep warm.",
        "My sister Ruth lives in Chicago. / Do you talk often?",
        "The elevator is broken again. / I hope that they fix it soon.",
        "I did a crossword this morning. / Did you finish it?",
        "I need a new light bulb in the kitchen. / Rosa could bring one.",
        "The neighbours were loud last night. / Did you get some rest?",
        "I went to the park and fed the ducks. / How lovely.",
        "My favourite colour is blue. / Like the sea.",
        "I bought new slippers. / Are they warm?",
        "The dentist pulled a tooth last year. / Ouch.",
        "I drink a glass of milk before bed. / That's cosy.",
        "We had a blue Buick in those days. / A fine car.",
        "The bishop visited our parish hall. / Was it full?",
        "Ayer vino el fontanero. / ¿Lo arregló?",
        "Hoy he comido lentejas. / ¡Qué ricas!",
        "Mi vecina Pilar toca el piano. / ¡Qué bonito!",
        "Tengo que comprar pan. / ¿Se lo apunto?",
        "Hace mucho calor en casa. / Beba agua.",
    ]
}
