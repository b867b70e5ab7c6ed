package import Conversation

/// A prompt of a bundle, ready for rendering.
package struct BundledPrompt: Sendable {
    /// The file.
    package let file: PromptFile
    /// The template with its partials.
    package let template: LinkedTemplate

    /// Renders the prompt with its declared variables, taken from the supplied ones.
    package func render(
        _ supplied: TemplateObject,
        history: [Prompt.Message]
    ) throws(PromptError) -> [RenderedMessage] {
        let schema = file.settings.input
        let values = TemplateObject(
            fields: supplied.fields.filter { schema[$0.name] != nil || schema.others != nil }
        )
        do {
            let bound = try schema.bound(values, defaults: file.settings.defaults)
            return try template.render(bound, history: history)
        } catch let error as InputError {
            throw PromptError(error)
        } catch let error as RenderError {
            throw PromptError(error)
        } catch {
            throw .notRendered(reason: "\(error)")
        }
    }
}

extension PromptError {
    init(_ error: InputError) {
        switch error {
        case .missingVariable(let name): self = .missingVariable(name)
        case .otherType, .unknownVariable: self = .notRendered(reason: "\(error)")
        }
    }

    init(_ error: RenderError) {
        switch error {
        case .missingVariable(let name, _): self = .missingVariable(name)
        default: self = .notRendered(reason: "\(error)")
        }
    }
}

extension BundledPrompt {
    /// Renders the prompt as messages for a model.
    ///
    /// Neighbouring messages of one role are joined, as some models require.
    func composed(
        _ values: TemplateObject,
        history: [Prompt.Message],
        version: String
    ) throws(PromptError) -> Prompt {
        var joined: [(role: Prompt.Message.Role, text: String)] = []
        for rendered in try render(values, history: history) {
            let text = rendered.plainText.trimmingBlanks
            if let last = joined.last, last.role == rendered.role {
                joined[joined.count - 1].text += "\n" + text
            } else {
                joined.append((rendered.role, text))
            }
        }
        let messages = joined.map { Prompt.Message($0.role, $0.text) }
        let settings = file.settings
        let defaults = Prompt(messages: [], version: version)
        return Prompt(
            messages: messages,
            version: version,
            maximumTokens: settings.maximumTokens ?? defaults.maximumTokens,
            temperature: settings.temperature ?? defaults.temperature,
            stop: settings.stop
        )
    }
}

extension String {
    /// The text without leading and trailing ASCII white space.
    var trimmingBlanks: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }),
            let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(Substring(utf8[first...last]))
    }
}
