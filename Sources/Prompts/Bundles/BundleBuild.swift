import Conversation

/// Reads a bundle's files and collects all faults, so that an author sees them at once.
struct BundleBuild {
    private(set) var prompts: [PromptFileName: BundledPrompt] = [:]
    private(set) var partials: [String: Template] = [:]
    private(set) var faults: [PromptSourceError] = []

    init(_ files: [BundleFile], _ contracts: [PromptContract]) {
        let sources = files.filter(\.isPrompt).sorted { $0.path < $1.path }
        for file in sources where file.name.hasPrefix("_") { readPartial(file) }
        for file in sources where !file.name.hasPrefix("_") { readPrompt(file, contracts) }
        faults.sort { ($0.file, $0.position) < ($1.file, $1.position) }
    }

    private mutating func readPartial(_ file: BundleFile) {
        do {
            let name = try PromptFileName(file: file.name).name
            partials[name] = try PromptFile.partial(SourceText(file: file.name, bytes: file.bytes))
        } catch {
            faults.append(error)
        }
    }

    private mutating func readPrompt(_ file: BundleFile, _ contracts: [PromptContract]) {
        do {
            let prompt = try PromptFile(SourceText(file: file.name, bytes: file.bytes))
            var links = PartialCheck(partials)
            links.visit(prompt.template)
            guard links.faults.isEmpty else { return faults += links.faults }
            let bundled = BundledPrompt(
                file: prompt,
                template: try LinkedTemplate(prompt.template, partials: partials)
            )
            let variables = VariableCheck(bundled.template, against: prompt.settings.input)
            guard variables.faults.isEmpty else { return faults += variables.faults }
            let contract = contracts.first { $0.name == prompt.name.name }
            guard contract.map({ check(bundled, $0) }) ?? true else { return }
            prompts[prompt.name] = bundled
        } catch {
            faults.append(error)
        }
    }

    /// Checks a prompt against its contract; returns true if it complies.
    private mutating func check(_ prompt: BundledPrompt, _ contract: PromptContract) -> Bool {
        let found = contract.faults(of: prompt)
        faults += found
        return found.isEmpty
    }
}

extension PromptContract {
    /// The violations of the contract by a prompt.
    func faults(of prompt: BundledPrompt) -> [PromptSourceError] {
        let variables = prompt.file.settings.input.variables.compactMap { fault(of: $0, in: prompt.file) }
        guard variables.isEmpty else { return variables }
        for sample in samples {
            if let rule = brokenRule(of: prompt, sample) {
                return [PromptSourceError(file: prompt.template.template.file, .start, .badShape(rule))]
            }
        }
        return []
    }

    private func fault(of variable: InputSchema.Variable, in file: PromptFile) -> PromptSourceError? {
        let hasDefault = file.settings.defaults[variable.name] != nil
        let fault: PromptFault
        if let given = supplied[variable.name] {
            let mayMiss = variable.isOptional || hasDefault || !given.isOptional
            guard !mayMiss || !variable.type.accepts(given.type) else { return nil }
            let expected = given.type.name + (given.isOptional ? " that may be missing" : "")
            fault = .otherType(variable.name, expected: expected)
        } else {
            guard !hasDefault else { return nil }
            fault = .unsuppliedVariable(variable.name)
        }
        return PromptSourceError(file: file.template.file, variable.position, fault)
    }

    private func brokenRule(of prompt: BundledPrompt, _ sample: Sample) -> String? {
        do {
            let messages = try prompt.render(sample.values, history: sample.history)
            guard messages.first?.role == .system else { return "the first message must be the system's" }
            guard messages.dropFirst().allSatisfy({ $0.role != .system }) else {
                return "only the first message may be the system's, because not every model takes more"
            }
            guard messages.last?.role == .user else { return "the last message must be the user's" }
            return nil
        } catch {
            return "it cannot be rendered: \(error)"
        }
    }
}
