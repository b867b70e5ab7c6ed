/// Which models a turn asks, and how its time is shared out, as a bundle sets them.
package struct TurnRouting: Sendable, Equatable {
    /// A model by the place that settings give it.
    package enum Model: String, Sendable, CaseIterable {
        /// The one of `llm-url`, or the local one.
        case primary
        /// The one of `fallback-llm-url`.
        case fallback

        /// Its place among the models that the service was started with.
        var index: Int {
            switch self {
            case .primary: 0
            case .fallback: 1
            }
        }
    }

    /// In the order in which they are asked; a model that settings do not name is passed over.
    package var models: [Model]
    /// The models that are asked to begin with a verdict on the message.
    package var verdicts: Set<Model>
    /// Each stage's share of the time; nil where the service's own share stands.
    package var remember, recall, record, reserve: Duration?

    /// Makes a routing; unless told otherwise, the service's own.
    package init(models: [Model] = Model.allCases, verdicts: Set<Model> = []) {
        self.models = models
        self.verdicts = verdicts
    }

    /// The models of this routing, out of those that the service was started with.
    ///
    /// Those beyond the ones that have a name here are asked last, in their order. A routing that names none of them
    /// leaves them as they are: no bundle silences the service.
    func models(of all: [any LanguageModel]) -> [any LanguageModel] {
        let named = models.map(\.index).filter(all.indices.contains).map { all[$0] }
        return named.isEmpty ? all : named + all.dropFirst(Model.allCases.count)
    }

    /// Whether each of the models of this routing is asked for a verdict, in the order of ``models(of:)``.
    package func verdicts(of all: [any LanguageModel]) -> [Bool] {
        let named = models.filter { all.indices.contains($0.index) }
        guard !named.isEmpty else { return all.map { _ in false } }
        let asked = named.map { verdicts.contains($0) && !all[$0.index].isDemonstration }
        return asked + all.dropFirst(Model.allCases.count).map { _ in false }
    }

    /// The service's budgets with the shares that this routing sets.
    ///
    /// The whole turn's stays the service's, and so does each share that an operator has set.
    func budgets(of service: StageBudgets) -> StageBudgets {
        var budgets = service
        for stage in StageBudgets.Stage.allCases where !service.pinned.contains(stage) {
            switch stage {
            case .remember: budgets.remember = remember ?? service.remember
            case .recall: budgets.recall = recall ?? service.recall
            case .record: budgets.record = record ?? service.record
            case .reserve: budgets.reserve = reserve ?? service.reserve
            }
        }
        return budgets
    }
}
