/// Texts for counting instructions: fixed, so that only the code can change the figures.
enum SaidTexts {
    /// Messages of patients, ordinary and not.
    static let messages = [
        "Good morning, how are you?", "The garden is lovely today", "Did I take my pill?",
        "My daughter Laura is coming on Sunday with the children and I want to bake her favourite apple cake",
        "I'm dizzy", "I fell and hit my head", "i cant breath", "A man on the phone says I must pay with gift cards",
        "What's the weather like, I think I'll sit outside for a while", "um, well, you know, my sister rang me",
        "Someone from the bank called and asked for nine one two three four", "I don't want to live any more",
        "Can you tell me a story about the sea? I used to live by it when I was a girl, in a white house.",
        "¿Qué día es hoy?", "Me caí en la cocina y me duele la cadera",
    ]

    /// Replies of models.
    static let replies = [
        "Good morning, Rose. It is lovely to hear from you.",
        "That sounds delicious. Apple cake is a treat, and Laura will be so pleased to see you. Shall we look at what "
            + "you need for it, and make a little list together before Sunday comes around?",
        "It costs $20.50 at the store on 3rd Ave. Don't go alone! Ask Laura, O.K.?",
    ]

    /// A reply as a model streams it.
    static let pieces = ["Good", " morning,", " Rose.", " It is", " lovely to", " hear", " from you", "."]

    /// A reply of two sentences as a hosted model sends it, token by token.
    static let stream: [[UInt8]] =
        [
            "It", " is", " lovely", " to", " hear", " of", " the", " white", " roses", " in", " the", " garden", ".",
            " Which",
            " tulips", " do", " you", " like", "?",
        ].map { piece in
            Array(
                """
                data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1761292800,"model":"companion",\
                "choices":[{"index":0,"delta":{"content":"\(piece)"},"finish_reason":null}]}\n\n
                """.utf8
            )
        } + [
            Array("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n".utf8),
            Array("data: [DONE]\n\n".utf8),
        ]

    /// A turn's body.
    static let request = """
        {"patient_id": "00000000-0000-4000-8000-000000000002", "message": "My daughter Laura is coming on Sunday with the \
        children and I want to bake her favourite apple cake", "timestamp": "2025-10-24T08:05:00Z", "context": \
        {"triggered_by": "voice", "app_state": "active", "reminder_id": null}}
        """

    /// A turn's answer.
    static let response = """
        {"success": true, "data": {"response": "Good morning, Rose. It is lovely to hear from you.", "speak": true, \
        "keep_listening": true, "conversation_id": "00000000-0000-4000-8000-000000000003", "alert_sent": false, \
        "message_id": "00000000-0000-4000-8000-000000000004", "source": "model", "degraded": [], "flags": [], \
        "prompt_version": "0123456789ab"}}
        """
}
