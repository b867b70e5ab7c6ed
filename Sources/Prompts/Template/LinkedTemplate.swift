/// A template with every partial that it needs, proven to be there and free of cycles.
package struct LinkedTemplate: Sendable {
    /// The template.
    package let template: Template
    /// The partials by name, more than are needed perhaps.
    package let partials: [String: Template]

    /// Links a template.
    ///
    /// - Throws: The first fault in the order of the files.
    package init(_ template: Template, partials: [String: Template] = [:]) throws(PromptSourceError) {
        var check = PartialCheck(partials)
        check.visit(template)
        if let fault = check.faults.first { throw fault }
        self.template = template
        self.partials = partials
    }
}

/// Finds partials that are missing, put themselves in place, or bring a role into a section.
struct PartialCheck {
    /// What was found, in the order of the walk.
    private(set) var faults: [PromptSourceError] = []
    /// The partials that were met.
    private(set) var met: Set<String> = []
    private let partials: [String: Template]
    private var path: [String] = []
    private var section: String?

    /// Makes a check against the partials that there are.
    init(_ partials: [String: Template]) {
        self.partials = partials
    }

    /// Follows a template into its partials.
    mutating func visit(_ template: Template) {
        visit(template.nodes, of: template.file)
    }

    private mutating func visit(_ nodes: [TemplateNode], of file: String) {
        for node in nodes {
            switch node {
            case .partial(let partial): follow(partial, from: file)
            case .section(let name, let body, _): visit(body, within: name, of: file)
            case .role(_, let position), .history(let position): refuseInSection(position, of: file)
            default: for branch in node.branches { visit(branch, of: file) }
            }
        }
    }

    private mutating func visit(_ body: [TemplateNode], within name: String, of file: String) {
        let outer = section
        section = name
        visit(body, of: file)
        section = outer
    }

    private mutating func refuseInSection(_ position: SourcePosition, of file: String) {
        guard let section else { return }
        faults.append(PromptSourceError(file: file, position, .roleInSection(section)))
    }

    private mutating func follow(_ partial: TemplatePartial, from file: String) {
        guard let template = partials[partial.name] else {
            faults.append(PromptSourceError(file: file, partial.position, .missingPartial(partial.name)))
            return
        }
        guard !path.contains(partial.name) else {
            faults.append(
                PromptSourceError(file: file, partial.position, .partialCycle(path + [partial.name]))
            )
            return
        }
        // Within no section a second visit finds nothing new, and skipping it keeps the walk linear.
        guard met.insert(partial.name).inserted || section != nil else { return }
        path.append(partial.name)
        visit(template)
        path.removeLast()
    }
}
