import Domain
import Prompts

/// One bundle: its changes, its files and the available actions.
struct BundleView: Sendable {
    let bundle: BundleContents
    let inForce: BundleContents
    /// The bundle with which it is compared: the active one, or the one that the address names.
    let compared: BundleContents
    /// True if a bundle was ever promoted; a canary runs beside a release.
    let hasRelease: Bool
    /// True if a rollback may return to it.
    let isEarlier: Bool
    let names: BundleNames
    /// The eval run that passed on exactly these files, or why there is none.
    let justification: Result<EvalRun, EvalRunFolder.Refusal>
    let call: ConsoleRequestContext

    /// The mark of a button that is not the next step.
    private static let plain: HTML = " class=\"plain\""

    /// The reason for a missing canary form before the first release.
    private static var untried: HTML {
        "<p class=\"quiet\">A canary needs a release beside it. Promote a bundle first; it can be rolled back.</p>"
    }

    private var isInForce: Bool { bundle.digest == inForce.digest }

    var html: HTML {
        """
        <p class="quiet">Digest <code title="\(bundle.digest)">\(bundle.version)</code> \(isInForce ? Badge("active", .good).html : "")</p>
        \(naming)\(actions)\(changes)<h2>Files</h2>\(BundleFilesView(bundle: bundle, call: call).html)
        """
    }

    private var changes: HTML {
        guard bundle.digest != compared.digest else { return "" }
        let lines = BundleDifference(from: compared.files, to: bundle.files).lines
        let base: HTML = compared.digest == inForce.digest ? "the active bundle" : names.link(compared.digest)
        return "<h2>Changes from \(base)</h2>\(LineChangesView(lines: lines).html)"
    }

    /// Form that gives the bundle a name, by which lists and choices call it.
    private var naming: HTML {
        guard call.mayChangeInstallation(.operator) else { return "" }
        let field = Field(
            "name",
            "Name",
            value: names.given(bundle.digest) ?? "",
            mostCharacters: BundleNames.maximumCharacters
        )
        return call.form(
            to: PromptsPage.path(of: bundle.digest, "name"),
            "<div class=\"buttons narrow\">\(field.html)<button type=\"submit\" class=\"plain\">Name it</button></div>"
        )
    }

    /// Form that returns to this bundle; empty unless it was active before and was not rolled back.
    private var goingBack: HTML {
        guard isEarlier else { return "" }
        let form = call.form(
            to: ConsolePath("prompts", "rollback"),
            """
            <input type="hidden" name="bundle" value="\(bundle.digest)">\(Field("why_rollback", "Reason", isRequired: true).html)\
            <div class="buttons"><button type="submit" class="plain">Roll back to this bundle</button></div>
            """
        )
        return """
            <section class="panel"><h2>Roll back</h2><p class="quiet">It was active before. This also ends a running trial.</p>\
            \(form)</section>
            """
    }

    private var actions: HTML {
        guard call.mayChangeInstallation(.operator) else { return evidence }
        let trying: HTML =
            isInForce
            ? ""
            : "<a class=\"button plain\" href=\"\(PromptsPage.path(of: bundle.digest, "try"))\">Compare with the active bundle</a>"
        let evaluating = call.form(
            to: PromptsPage.path(of: bundle.digest, "evaluate"),
            """
            \(Field("mode", "Model", .choice([("live", "live"), ("scripted", "scripted")]), hint: "A run that skips fixtures for lack of a model does not allow a promotion.").html)\
            <div class="buttons"><button type="submit"\(isJustified ? Self.plain : "")>Run all evals</button>\(trying)</div>
            """
        )
        return """
            <div class="panels"><section class="panel"><h2>Before the release</h2>\(evidence)\(evaluating)</section>\
            \(releasing)</div>
            """
    }

    /// True if an eval run allows a promotion, which is then the next step.
    private var isJustified: Bool { (try? justification.get()) != nil }

    private var evidence: HTML {
        switch justification {
        case .success(let run):
            """
            <p>\(Badge("passed", .good).html) The run <a href="\(EvalsPage.path(of: run.id))">\(run.id)</a> has passed on \
            exactly these files.</p>
            """
        case .failure(.noRun(nil, _)):
            "<p>\(Badge("no passing run", .warning).html) It cannot be promoted yet: run the evals first.</p>"
        case .failure(let reason):
            "<p>\(Badge("no passing run", .warning).html) It cannot be promoted: \(Wording.say("\(reason)")).</p>"
        }
    }

    private var releasing: HTML {
        guard call.mayChangeInstallation(.admin), !isInForce else { return "" }
        let promote = call.form(
            to: PromptsPage.path(of: bundle.digest, "promote"),
            """
            \(Field("why_promote", "Reason", isRequired: true).html)<div class="buttons"><button type="submit"\(isJustified ? "" : Self.plain)>\
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
        let trying: HTML = "<p class=\"quiet\">It is rolled back automatically if it does worse.</p>\(canary)"
        return """
            <section class="panel"><h2>Promote</h2><p class="quiet">For every patient, on every replica.</p>\
            \(promote)</section><section class="panel"><h2>Canary</h2>\(hasRelease ? trying : Self.untried)</section>\(goingBack)
            """
    }
}
