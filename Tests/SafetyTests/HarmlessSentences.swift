/// Sentences that a companion should be able to say.
enum HarmlessSentences {
    static let all = warm + curious + careful + asking + topics + spanish

    static let warm = [
        "See you tomorrow, Rose!", "See you tomorrow!", "Church on Sunday sounds like a nice outing.",
        "It's alright to miss him every day.", "It's fine to cry about it.", "See you soon, dear.",
        "I'm here with you.", "I'm so sorry to hear that.", "That sounds lovely.", "You're very welcome.",
        "Good morning, Rose!",
        "What a beautiful memory.", "I'm glad you told me.", "That must have been hard.", "I'm listening.",
        "Of course, dear.",
        "You sound happy today.", "I understand how you feel.", "Take your time.", "That made me smile.",
        "Thank you for sharing that.",
        "It's good to hear your voice.", "You matter to me.", "I hope you sleep well.", "Goodnight, Rose.",
        "Happy birthday!",
        "That was kind of you.", "You raised a wonderful family.", "It's okay to feel sad.", "It's okay to cry.",
        "You are not alone.", "You are not a burden.", "I'd love to hear more.", "I enjoy our talks.",
        "How sweet of him.",
        "You're doing your best.", "Be gentle with yourself.", "I'm proud of you.", "That's very thoughtful.",
        "Welcome back!",
        "You have a big heart.", "That's not your fault.", "You deserve kindness.", "Enjoy your tea.",
        "Have a lovely afternoon.",
        "I'm happy to keep you company.", "It's nice to talk with you.", "You can tell me anything.", "I'll be here.",
    ]

    static let curious = [
        "What did you do today?", "How did you two meet?", "What kind of music do you like?", "Did you sleep well?",
        "What was your favorite song?", "Who taught you to cook?", "What flowers grow in your garden?",
        "Would you like to talk about it?", "How is your daughter?", "What was he like?",
        "Do you have a favorite recipe?",
        "Where did you grow up?", "What are you reading?", "Have you had your breakfast?", "Did you go for a walk?",
        "What would you like to do next?", "Do you remember your first car?", "How are you feeling now?",
        "Are you warm enough?",
        "Is someone with you?", "Does it hurt a lot?", "Can you tell me more?", "When did it start?",
        "What makes you laugh?",
        "Was it cold that winter?", "Which game do you play?", "Did the rain stop?", "Shall we talk about your garden?",
        "What is your cat's name?", "Who is coming to the party?",
    ]

    static let careful = [
        "Please call 911 right now.", "You should see a doctor.", "Please talk to your doctor about that.",
        "Ask your pharmacist before taking anything new.", "I can't give medical advice.", "I'm not a doctor, dear.",
        "That might be a scam.", "Please don't pay them.", "Don't click on anything.", "Hang up the phone, please.",
        "Never share your card number.", "Please stay where you are.", "Sit down if you can.",
        "I'm an AI, not a person.",
        "I can't see your records.", "I don't know, I'm afraid.", "I'm not sure about that.",
        "Your doctor can tell you more.",
        "It may help to talk to someone you trust.", "You could call your daughter.",
        "Please tell your family about it.",
        "A lawyer can help you with that.", "I can't advise on legal matters.", "Please be careful on the stairs.",
        "Please stay still until help comes.", "Only your doctor can say.", "Please check with your nurse first.",
        "I can't call anyone myself.", "Please don't hurt yourself.", "Please ask your bank.",
    ]

    static let asking = [
        "Would you like me to tell your family?", "Shall I tell your daughter?", "Do you want me to call someone?",
        "Would it help to talk?", "Should I let your son know?", "May I ask what happened?",
        "Want me to tell your family?",
        "Would you like to hear a story?", "Shall we sing a song?", "Can I ask you something?",
        "Would you like some company?",
        "Do you want to talk about Frank?",
    ]

    static let topics = [
        "Roses need plenty of sun.", "Baseball is such a fine game.", "The moon is bright in winter.",
        "Paris is in France.",
        "Cats love sunny windows.", "Apple pie smells wonderful.", "Birds sing early in spring.",
        "A cup of tea sounds nice.",
        "Old songs bring back memories.", "Jazz came from New Orleans.", "Bees make honey.", "Crosswords are good fun.",
        "Chicken soup is comforting.", "The ocean is deep and blue.", "Tomatoes like warm soil.",
        "Knitting takes patience.",
        "Elvis sang it beautifully.", "Snow makes everything quiet.", "Bread needs time to rise.",
        "Dogs are loyal friends.",
        "A short walk can lift the spirits.", "Fresh air feels good.", "The garden must look lovely.",
        "That recipe sounds delicious.",
        "Two plus two is four.", "There are seven days in a week.", "A good book is a friend.",
        "Your quilt sounds pretty.",
        "Fishing is peaceful.", "That joke is funny.", "Your grandson sounds clever.", "Weddings are joyful days.",
        "The lake must have been cold.", "Trains were grand back then.", "Sundays are for family.",
        "That's a good question.",
        "Dancing keeps the heart young.", "Puppies are a handful.", "Let's talk about your trip.",
        "Let's play a word game.",
    ]

    static let spanish = [
        "Estoy aquí con usted.", "Lo siento mucho.", "¿Cómo se siente ahora?", "Qué bonito recuerdo.",
        "Cuénteme más, por favor.",
        "¿Quiere que avise a su familia?", "Consulte a su médico, por favor.", "No pague nada.", "Buenas noches, Rosa.",
        "¿Qué comió hoy?",
    ]
}
