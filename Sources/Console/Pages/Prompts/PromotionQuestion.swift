import Domain
import Prompts

/// Asks whether a promotion may end the trial that is running.
struct PromotionQuestion: Sendable {
    /// Digest of the bundle to promote.
    let bundle: String
    /// The newest release, whose trial runs.
    let release: Release
    let trial: Release.Trial
    let reason: String
    let names: BundleNames
    let call: ConsoleRequestContext

    var html: HTML {
        let own: HTML =
            trial.bundle == bundle
            ? "It is the bundle that you promote: every patient would get it before its evidence is complete."
            : "It is another bundle: its evidence so far would be given up."
        let form = call.form(
            to: PromptsPage.path(of: bundle, "promote"),
            """
            <input type="hidden" name="why_promote" value="\(HTML(editable: reason))">\
            <input type="hidden" name="ends_trial" value="\(release.number)">\
            <div class="buttons"><button type="submit">Promote and end the \(trial.kind.rawValue)</button>\
            <a class="button plain" href="\(ConsolePath("prompts"))">Let it run</a></div>
            """
        )
        return """
            <section class="panel"><p>A \(trial.kind.rawValue) of \(names.link(trial.bundle)) has been running since \
            \(Figure.time(release.at)). A promotion ends it. \(own)</p>\
            <dl class="facts"><dt>To promote</dt><dd>\(names.link(bundle))</dd>\
            <dt>Reason</dt><dd><bdi>\(reason)</bdi></dd></dl>\(form)</section>
            """
    }
}
