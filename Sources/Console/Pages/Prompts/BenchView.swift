import Conversation
import Evaluation

/// Progress or outcome of the work on the evaluation bench.
struct BenchView: Sendable {
    /// Progress of the work; nil when it is done.
    let progress: BenchProgress?
    let outcome: BenchOutcome?
    let price: TokenPrice

    /// Whether the page should refresh.
    var isRunning: Bool { progress != nil }

    var html: HTML {
        if let progress { return running(progress) }
        switch outcome {
        case .sideBySide(let result): return SideBySideView(result: result, price: price).html
        case .run(let finding): return found(finding)
        case .replay: return "<p>It is the replay of a turn; open it from the turn.</p>"
        case .failed(let reason): return "<p class=\"problem\" role=\"alert\">\(reason)</p>"
        case nil: return "<p>What came of it is forgotten; the bench keeps the last eight outcomes.</p>"
        }
    }

    private func running(_ progress: BenchProgress) -> HTML {
        """
        <p>Began \(Figure.time(progress.beganAt)).</p>
        <p><label for="bar">\(progress.done) of \(progress.total) samples</label></p>
        <progress id="bar" max="\(progress.total)" value="\(progress.done)"></progress>
        <p class="quiet">The page looks again by itself; without scripts, load it again.</p>
        """
    }

    private func found(_ finding: RunFinding) -> HTML {
        """
        <p>\(RunListView.badge(finding.verdict.rawValue)) The run <a href="\(EvalsPage.path(of: finding.run))">\(finding.run)\
        </a> of the bundle <a href="\(PromptsPage.path(of: finding.bundle))"><code>\(finding.bundle.prefix(12))</code></a>.</p>
        """
    }
}
