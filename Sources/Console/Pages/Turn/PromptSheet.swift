import Conversation

/// A prompt as it was sent, message by message.
///
/// Hidden from roles that may not read patients' words.
struct PromptSheet: Sendable {
    let prompt: Prompt
    let masking: Masking

    var html: HTML {
        guard !masking.isOn else {
            return "<p class=\"quiet\">The prompt holds patients' words, which your role does not show.</p>"
        }
        let messages = prompt.messages.map { message in
            "<h3>\(message.role.rawValue)</h3><pre tabindex=\"0\">\(message.text)</pre>" as HTML
        }
        return """
            <p>About \(prompt.estimatedTokens) tokens, temperature \(Figure.short(prompt.temperature)), at most \
            \(prompt.maximumTokens) tokens back.</p><details class="pack"><summary><b>Read it</b> <span class="quiet">\
            \(Figure.count(prompt.messages.count, "message"))</span></summary><div class="inset">\(messages)</div></details>
            """
    }
}
