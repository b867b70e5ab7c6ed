import Domain
import Foundation
import Prompts

/// A running trial with the evidence about its candidate.
struct TrialView: Sendable {
    let release: Release
    let trial: Release.Trial
    let evidence: TrialEvidence
    let verdict: TrialVerdict
    let plan: TrialPlan
    /// The evidence over time, from the trial's beginning until now.
    let course: [Double]
    let names: BundleNames
    let call: ConsoleRequestContext

    private static let moments = 60

    init?(_ release: Release, _ units: [TrialUnit], _ names: BundleNames, _ call: ConsoleRequestContext) {
        guard let trial = release.trial else { return nil }
        self.release = release
        self.trial = trial
        self.call = call
        self.names = names
        plan = TrialPlan(of: trial)
        evidence = TrialEvidence(units, plan, at: call.date)
        course = TrialEvidence.course(units, plan, from: release.at, until: call.date, moments: Self.moments)
        verdict = TrialVerdict(evidence, plan, began: release.at, at: call.date)
    }

    var html: HTML {
        """
        <section class="panel"><h2>\(trial.kind == .canary ? "Canary" : "Shadow")</h2><dl class="facts">\
        <dt>Candidate</dt><dd>\(names.link(trial.bundle))</dd>\
        <dt>Share</dt><dd>\(percent(trial.share)) of patients</dd><dt>Since</dt><dd>\(Figure.time(release.at)), by \
        \(ActorName.text(of: release.actor))</dd><dt>So far</dt><dd>\(words)</dd></dl>\(questions)\(chart)\(explanation)\(stop)</section>
        """
    }

    private var words: HTML {
        switch verdict {
        case .worse(let question, _, let patients):
            "\(Badge("worse", .danger).html) after \(patients) patients: \(ReleaseLabels.question(question))"
        case .nothingSeen(let patients, let rises):
            "\(Badge("no harm detected", .good).html) in \(patients) patients. Detectable: \(told(rises))."
        case .gathering(let patients, let wanted): "\(patients) of \(wanted) patients so far; too early to say more."
        case .cannotConclude(let patients, let wanted, let needed, let planned):
            """
            \(Badge("too little traffic", .warning).html) \(patients) of \(wanted) patients; at this traffic it would take \
            \(needed) days, and \(planned) are planned.
            """
        }
    }

    private func told(_ rises: [String: Double]) -> String {
        rises.sorted { $0.key < $1.key }
            .map { "\(ReleaseLabels.question($0.key).description.lowercased()), in \(percent($0.value)) of them" }
            .joined(separator: "; ")
    }

    private var questions: HTML {
        var table = Table(
            "Signals of the trial",
            columns: ["Signal", "Candidate", "Active bundle", "Evidence"]
        )
        for question in evidence.questions {
            table.add(
                "\(ReleaseLabels.question(question.name))",
                "\(percent(question.candidate)) <span class=\"quiet\">of \(evidence.patients)</span>",
                "\(percent(question.control)) <span class=\"quiet\">of \(evidence.controls)</span>",
                "\(figure(question.value))"
            )
        }
        return table.html()
    }

    private var chart: HTML {
        Plot(
            "All evidence against the candidate, since the trial began",
            unit: "",
            lines: [Plot.Line("evidence", course)],
            limit: 1 / plan.falseAlarms,
            marks: [age, "now"]
        ).html
    }

    /// The age of the trial at the left end of the chart: "−3 h", and "start" within its first minute.
    private var age: String {
        let seconds = call.date.timeIntervalSince(release.at)
        return seconds < 60 ? "start" : "−\(Figure.wait(.seconds(seconds)))"
    }

    private var explanation: HTML {
        let limit = figure(1 / plan.falseAlarms)
        let end: HTML =
            trial.kind == .canary
            ? "At \(limit) the candidate is rolled back automatically."
            : "A shadow trial is never rolled back, because nobody receives its replies."
        return """
            <p>The combined evidence is <b>\(figure(evidence.value))</b>. Evidence begins at 1, grows while the \
            candidate does worse and shrinks while it does not. \(end) A candidate that is no worse would reach \
            \(limit) in one trial of \(figure(1 / plan.falseAlarms)) at most, however often one looks.</p>
            """
    }

    private var stop: HTML {
        guard call.mayChangeInstallation(.admin) else { return "" }
        let why = Field("why_stop", "Reason", isRequired: true)
        return call.form(
            to: ConsolePath("prompts", "stop"),
            "\(why.html)<div class=\"buttons\"><button type=\"submit\" class=\"plain\">End the trial</button></div>"
        )
    }

    private func percent(_ share: Double) -> String {
        "\(Figure.short(share * 100)) %"
    }

    private func figure(_ value: Double) -> String {
        Figure.number(value, .significantDigits(1...3))
    }
}
