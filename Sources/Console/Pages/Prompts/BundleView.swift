import Conversation
import Prompts

/// One bundle: its changes, its files and the available actions.
struct BundleView: Sendable {
    let bundle: ShelvedBundle
    let inForce: ShelvedBundle
    /// The eval run that passed on exactly these files, or why there is none.
    let justification: Result<EvalRun, EvalRunFolder.Refusal>
    let call: ConsoleCall

    private var isInForce: Bool { bundle.digest == inForce.digest }

    var html: HTML {
        """
        <p>Digest <code>\(bundle.digest)</code> \(isInForce ? Badge("in force", .good).html : "")</p>
        \(actions)\(changes)<h2>Files</h2>\(BundleFilesView(bundle: bundle, call: call).html)
        """
    }

    private var changes: HTML {
        guard !isInForce else { return "" }
        let lines = BundleDifference(from: inForce.files, to: bundle.files).lines
        return "<h2>What it changes in the bundle in force</h2>\(LineChangesView(lines: lines).html)"
    }

    private var actions: HTML {
        guard call.may(.operator) else { return evidence }
        let trying: HTML =
            isInForce
            ? ""
            : "<a class=\"button plain\" href=\"\(PromptsPage.path(of: bundle.digest, "try"))\">Try it side by side</a>"
        let evaluating = call.form(
            to: PromptsPage.path(of: bundle.digest, "evaluate"),
            """
            \(Field("mode", "Words of the model", .choice([("live", "from the model, live"), ("scripted", "as the fixtures script them")]), hint: "A run that leaves fixtures out for want of a model justifies nothing.").html)\
            <div class="buttons"><button type="submit" class="plain">Run all evals on it</button>\(trying)</div>
            """
        )
        return """
            <div class="panels"><section class="panel"><h2>Before it goes out</h2>\(evidence)\(evaluating)</section>\
            \(releasing)</div>
            """
    }

    private var evidence: HTML {
        switch justification {
        case .success(let run):
            """
            <p>\(Badge("passed", .good).html) The run <a href="\(EvalsPage.path(of: run.id))">\(run.id)</a> has passed on \
            exactly these files.</p>
            """
        case .failure(let reason):
            "<p>\(Badge("no passing run", .warning).html) It cannot be put in force: \(reason).</p>"
        }
    }

    private var releasing: HTML {
        guard call.may(.admin), !isInForce else { return "" }
        let promote = call.form(
            to: PromptsPage.path(of: bundle.digest, "promote"),
            """
            \(Field("why_promote", "Why", isRequired: true).html)<div class="buttons"><button type="submit">Put it in \
            force</button></div>
            """
        )
        let canary = call.form(
            to: PromptsPage.path(of: bundle.digest, "canary"),
            """
            \(Field("share", "Share of patients", .choice([("0.1", "10 %"), ("0.2", "20 %"), ("0.5", "50 %")])).html)\
            \(Field("why_canary", "Why", isRequired: true).html)<div class="buttons"><button type="submit" class="plain">\
            Begin a canary</button></div>
            """
        )
        return """
            <section class="panel"><h2>Put it in force</h2><p class="quiet">For every patient, on every replica.</p>\
            \(promote)</section><section class="panel"><h2>Try it on some patients</h2><p class="quiet">It goes back by \
            itself when it does worse.</p>\(canary)</section>
            """
    }
}
