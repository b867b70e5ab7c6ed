package import Conversation
import Foundation

/// Composes prompts from one immutable bundle.
package struct BundleComposer: PromptComposer {
    private let bundle: PromptBundle
    /// The variant of the companion's prompt for a model that is too small to keep to a long one.
    private static let demonstration = "demonstration"

    private let variant: String?

    /// Makes a composer.
    ///
    /// - Parameter variant: The variant to use where a prompt has it.
    package init(_ bundle: PromptBundle, variant: String? = nil) {
        self.bundle = bundle
        self.variant = variant
    }

    package var version: String { bundle.version }

    /// Composes the reply's prompt; a dozen facts, six turns and three memories take about 40 µs.
    package func compose(_ input: PromptInput) throws(PromptError) -> Prompt {
        let variant = input.isForDemonstration ? Self.demonstration : variant
        let prompt = try prompt(PromptContract.companion.name, variant)
        let values = CompanionValues(input, prompt.file.settings.amounts)
        return try prompt.composed(values.values, history: values.history, version: bundle.version)
    }

    package func composeExtraction(
        _ exchanges: [PatientMemory.Exchange],
        of patient: Patient
    ) throws(PromptError) -> Prompt {
        let prompt = try prompt(PromptContract.extraction.name, variant)
        let turns = exchanges.map { exchange in
            (said: exchange.said.onOneLine(atMost: 4_000), answered: (exchange.answered ?? "").onOneLine(atMost: 600))
        }
        let values: TemplateObject = [
            "language": .string(SpokenLanguage(tag: patient.language).name),
            "name": .string(patient.name.onOneLine(atMost: 60)),
            "turns": .list(turns.map { .object(["said": .string($0.said), "answered": .string($0.answered)]) }),
            "said": .string(turns.map(\.said).joined(separator: " ")),
            "answered": .string(turns.map(\.answered).joined(separator: " ")),
        ]
        return try prompt.composed(values, history: [], version: bundle.version)
    }

    package func composeTriage(said: String) throws(PromptError) -> Prompt {
        let prompt = try prompt(PromptContract.triage.name, variant)
        let values: TemplateObject = ["said": .string(said.onOneLine(atMost: 4_000))]
        return try prompt.composed(values, history: [], version: bundle.version)
    }

    private func prompt(_ name: String, _ variant: String?) throws(PromptError) -> BundledPrompt {
        guard let prompt = bundle.prompt(name, variant: variant) else { throw .noBundle }
        return prompt
    }
}
