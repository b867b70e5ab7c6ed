import Runtime

/// A turn's stages as named bars, with the waits between them as stages of their own.
///
/// The bars span the turn's own length, or five seconds if the reader asks for it. Drawn with attributes only, because
/// the content security policy allows no inline style.
struct TurnWaterfall: Sendable {
    /// One bar.
    struct Bar: Sendable, Equatable {
        let name: String
        let stage: String
        let start: Duration
        let duration: Duration
        let kind: String
        let outcome: Trace.Outcome?
        let note: String
    }

    private static let width = 1_000.0
    /// Upper limit of a turn.
    private static let limit = Duration.seconds(5)
    /// Shortest gap that counts as a wait.
    private static let leastWait = Duration.milliseconds(20)
    let elapsed: Duration
    /// True if the axis ends at five seconds instead of the turn's end.
    let isWhole: Bool
    let bars: [Bar]

    init(_ spans: [Trace.Span], elapsed: Duration, isWhole: Bool) {
        self.elapsed = elapsed
        self.isWhole = isWhole
        bars = (spans.map(Self.bar) + Self.waits(in: spans, until: elapsed)).sorted {
            ($0.start, $1.duration) < ($1.start, $0.duration)
        }
    }

    /// The sentence above the bars: the duration, and the stage that took most of it.
    var summary: String {
        let counted = bars.filter { $0.stage != "first_token" }
        guard let longest = counted.max(by: { $0.duration < $1.duration }), longest.duration > .zero else {
            return Wording.say("\(Figure.milliseconds(elapsed)) in all.")
        }
        let excess = Figure.milliseconds(elapsed - Self.limit)
        let over = elapsed > Self.limit ? Wording.say(", \(excess) over the limit") : ""
        return Wording.say(
            """
            \(Figure.milliseconds(elapsed)) in all\(over); most of it: \(longest.name), \
            \(Figure.milliseconds(longest.duration)).
            """
        )
    }

    var html: HTML {
        guard !bars.isEmpty else { return "<p class=\"quiet\">The stages of this turn were not stored.</p>" }
        let rows = bars.map { bar in
            let outcome: HTML =
                bar.outcome.map { $0 == .ok ? "" : " \(Badge($0.rawValue, $0 == .cancelled ? .plain : .danger).html)" }
                ?? ""
            return """
                <tr data-stage="\(bar.stage)"><th scope="row">\(Wording.say(bar.name))\(outcome)</th><td class="track">\(picture(of: bar))</td>\
                <td class="number start">\(Figure.milliseconds(bar.start))</td>\
                <td class="number">\(Figure.milliseconds(bar.duration))</td><td>\(bar.note)</td></tr>
                """ as HTML
        }
        return """
            <p>\(summary)</p><div class="scroll" role="region" aria-label="Stages" tabindex="0"><table class="waterfall">\
            <caption>Stages in the order in which they began. The axis ends at \(Figure.milliseconds(axis))\
            \(axis >= Self.limit ? "; the dashed line is five seconds" as HTML : "").</caption><thead><tr><th scope="col">Stage</th>\
            <th scope="col">Bar</th><th scope="col" class="number">Start</th><th scope="col" class="number">Duration</th><th scope="col">Note</th></tr></thead>\
            <tbody>\(rows)</tbody></table></div>
            """
    }

    /// End of the axis.
    private var axis: Duration {
        let own = max(elapsed, bars.map { $0.start + $0.duration }.max() ?? .zero, .milliseconds(1))
        return isWhole ? max(own, Self.limit) : own
    }

    private func picture(of bar: Bar) -> HTML {
        let start = x(bar.start)
        let length = max(2, min(x(bar.duration), Self.width - start))
        let limit: HTML =
            axis >= Self.limit
            ? "<line class=\"limit\" x1=\"\(Figure.short(min(x(Self.limit), 999)))\" x2=\"\(Figure.short(min(x(Self.limit), 999)))\" y1=\"0\" y2=\"14\"/>"
            : ""
        return """
            <svg viewBox="0 0 1000 14" width="1000" height="14" preserveAspectRatio="none" aria-hidden="true">\
            <line class="axis" x1="0" x2="1000" y1="13.5" y2="13.5"/>\
            <rect class="\(bar.kind)" x="\(Figure.short(start))" y="2" width="\(Figure.short(length))" height="10"/>\(limit)</svg>
            """
    }

    private func x(_ duration: Duration) -> Double {
        min(Self.width, max(0, duration.seconds / axis.seconds * Self.width))
    }

    private static func bar(_ span: Trace.Span) -> Bar {
        let kind =
            span.outcome == .ok ? (StageLabels.calls.contains(span.stage) ? "call" : "stage") : span.outcome.rawValue
        return Bar(
            name: StageLabels.name(of: span.stage),
            stage: span.stage,
            start: span.start,
            duration: span.duration,
            kind: kind,
            outcome: span.outcome,
            note: StageLabels.note(span.note, of: span.stage)
        )
    }

    /// The gaps in which no stage ran, each named after what ended before it.
    private static func waits(in spans: [Trace.Span], until end: Duration) -> [Bar] {
        var waits: [Bar] = []
        var reached = Duration.zero
        var last: Trace.Span?
        func add(until start: Duration) {
            guard start - reached >= leastWait else { return }
            let isResting = last.map { StageLabels.calls.contains($0.stage) && $0.outcome != .ok } ?? false
            waits.append(
                Bar(
                    name: isResting ? "wait for a model" : "wait",
                    stage: "wait",
                    start: reached,
                    duration: start - reached,
                    kind: "wait",
                    outcome: nil,
                    note: last.map(Self.after) ?? Wording.say("before the first stage")
                )
            )
        }
        for span in spans.sorted(by: { $0.start < $1.start }) {
            add(until: span.start)
            if span.start + span.duration >= reached {
                reached = span.start + span.duration
                last = span
            }
        }
        add(until: end)
        return waits
    }

    /// Names a wait: "after: store the reply".
    ///
    /// The stage is translated first, because its name may have the form of another label.
    private static func after(_ span: Trace.Span) -> String {
        let name = Wording.say(StageLabels.name(of: span.stage))
        return Wording.say("after: \(name)")
    }
}
