import Domain
import Prompts

/// One bundle: its changes, its files and the available actions.
struct BundleView: Sendable {
    let bundle: BundleContents
    let inForce: BundleContents
    /// The eval run that passed on exactly these files, or why there is none.
    let justification: Result<EvalRun, EvalRunFolder.Refusal>
    let call: ConsoleRequestContext

    private var isInForce: Bool { bundle.digest == inForce.digest }

    var html: HTML {
        """
        <p>Digest <code>\(bundle.digest)</code> \(isInForce ? Badge("active", .good).html : "")</p>
        \(actions)\(changes)<h2>Files</h2>\(BundleFilesView(bundle: bundle, call: call).html)
        """
    }

    private var changes: HTML {
        guard !isInForce else { return "" }
        let lines = BundleDifference(from: inForce.files, to: bundle.files).lines
        return "<h2>Changes from the active bundle</h2>\(LineChangesView(lines: lines).html)"
    }

    private var actions: HTML {
        guard call.may(.operator) else { return evidence }
        let trying: HTML =
            isInForce
            ? ""
            : "<a class=\"button plain\" href=\"\(PromptsPage.path(of: bundle.digest, "try"))\">Compare with the active bundle</a>"
        let evaluating = call.form(
            to: PromptsPage.path(of: bundle.digest, "evaluate"),
            """
            \(Field("mode", "Model", .choice([("live", "live"), ("scripted", "scripted")]), hint: "A run that skips fixtures for lack of a model does not allow a promotion.").html)\
            <div class="buttons"><button type="submit" class="plain">Run all evals</button>\(trying)</div>
            """
        )
        return """
            <div class="panels"><section class="panel"><h2>Before the release</h2>\(evidence)\(evaluating)</section>\
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
            "<p>\(Badge("no passing run", .warning).html) It cannot be promoted: \(reason).</p>"
        }
    }

    private var releasing: HTML {
        guard call.may(.admin), !isInForce else { return "" }
        let promote = call.form(
            to: PromptsPage.path(of: bundle.digest, "promote"),
            """
            \(Field("why_promote", "Reason", isRequired: true).html)<div class="buttons"><button type="submit">\
            Promote</button></div>
            """
        )
        let canary = call.form(
            to: PromptsPage.path(of: bundle.digest, "canary"),
            """
            \(Field("share", "Share of patients", .choice([("0.1", "10 %"), ("0.2", "20 %"), ("0.5", "50 %")])).html)\
            \(Field("why_canary", "Reason", isRequired: true).html)<div class="buttons"><button type="submit" class="plain">\
            Start a canary</button></div>
            """
        )
        return """
            <section class="panel"><h2>Promote</h2><p class="quiet">For every patient, on every replica.</p>\
            \(promote)</section><section class="panel"><h2>Canary</h2><p class="quiet">It is rolled back \
            automatically if it does worse.</p>\(canary)</section>
            """
    }
}
