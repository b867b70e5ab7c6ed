import Conversation

/// One model call: its outcome, and each sentence with the decision of the output screen.
struct CallSheet: Sendable {
    let masking: Masking

    func html(_ call: ReplyMaking.Call) -> HTML {
        var table = Table("Sentences of \(call.model)", columns: ["As the model said it", "What became of it", "Rule"])
        for sentence in call.sentences {
            table.add("\(masking.words(sentence.text))", fate(of: sentence), "<code>\(sentence.rule ?? "")</code>")
        }
        let usage = "\(call.usage.promptTokens) tokens read, \(call.usage.completionTokens) written"
        return """
            <h3>\(call.model), \(call.role) call: \(call.outcome.replacing("_", with: " "))</h3>\
            <p>\(usage)\(call.usage.isEstimate ? " (estimated)" : ""), \(Figure.dollars(call.microdollars)).</p>\
            \(table.html(ifEmpty: "It said no whole sentence."))
            """
    }

    private func fate(of sentence: ReplyMaking.Sentence) -> HTML {
        switch (sentence.spoken, sentence.rule) {
        case (nil, nil): Badge("said", .good).html
        case (nil, _): Badge("kept back", .warning).html
        case (let spoken?, nil): "\(Badge("rewritten", .notice).html) \(masking.words(spoken))"
        case (let spoken?, _): "\(Badge("replaced by a line of ours", .warning).html) \(spoken)"
        }
    }
}
