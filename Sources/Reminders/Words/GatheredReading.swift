/// Gathers a reminder from all that is said, where the stricter readings leave it open.
///
/// It is safe because nothing that bears on time is passed over: every time, day and number is used, belongs to an event
/// that is told about, or makes it ask.
struct GatheredReading {
    /// The most words of a title.
    private static let longestTitle = 14

    private enum Role {
        /// It asks to be told something.
        case asking
        /// It says only when.
        case bare
        /// It says what to do, or what happens.
        case told
        /// It gives a reason, or tells what is over.
        case aside
    }

    private let reading: ClauseReading
    private let words: MarkedWords
    private let vocabulary: TitleVocabulary
    private let roles: [Role]

    init(_ reading: ClauseReading) {
        self.reading = reading
        words = reading.words
        vocabulary = reading.vocabulary
        roles = reading.clauses.indices.map { place in
            let clause = reading.clauses[place]
            if reading.asks(place) { return .asking }
            if reading.isOver(place) { return .aside }
            if clause.left.isEmpty { return .bare }
            return clause.isReason ? .aside : .told
        }
    }

    /// The reminder.
    ///
    /// - Throws: The question that must be asked.
    func found() throws(ReminderQuestion) -> ClauseReading.Found {
        guard isWish else { throw .unclear }
        try refuse()
        let times = if let ahead = toldAhead() { ahead } else { try self.times() }
        let title = try title(showing: times)
        let marks = try days(beside: times) + bounds + times.marks
        guard marks.contains(where: { $0.isTimeOfDay || $0.isPart || $0.isOften }) else { throw .time }
        return ClauseReading.Found(
            title: title,
            marks: reading.unique(marks),
            isWaking: title.isEmpty && reading.isWaking,
            latest: times.event
        )
    }

    private var clauses: [SaidClause] { reading.clauses }

    private func places(_ role: Role) -> [Int] { roles.indices.filter { roles[$0] == role } }

    // MARK: Whether one is wanted

    /// True if a reminder is wanted: somebody asks for it, or says what and when and tells nothing.
    private var isWish: Bool {
        if !places(.asking).isEmpty { return reading.isRequest }
        guard !reading.isToldOtherwise, !words.tokens.contains(where: { $0.text == "?" }) else { return false }
        let timed = clauses.indices.filter { !clauses[$0].times.isEmpty && roles[$0] != .aside }
        let open = clauses.indices.filter { roles[$0] == .aside && !clauses[$0].times.isEmpty && !reading.isOver($0) }
        guard !timed.isEmpty, open.isEmpty
        else {
            return false
        }
        let told = places(.told)
        return told.contains { !isTale($0) || reading.hasDuty($0) }
            && timed.allSatisfy { roles[$0] != .told || !isTale($0) || reading.hasDuty($0) || isContrast($0) }
    }

    /// True if a clause has a subject of its own, so that it tells of something.
    private func isTale(_ place: Int) -> Bool {
        clauses[place].left.contains { word in
            let said = words.tokens[word]
            // "Me feet" are somebody's own.
            let isOwn = said.text == "me" && word == clauses[place].left.first && !vocabulary.isReflexive
            return !isOwn && vocabulary.tales.contains(said.text) || vocabulary.past.contains(said.accented)
        }
    }

    // MARK: What must not be passed over

    private func refuse() throws(ReminderQuestion) {
        for (place, clause) in clauses.enumerated() {
            for word in clause.left {
                let (token, before) = (words.tokens[word], words.tokens.at(word - 1)?.text ?? "")
                let isDoubt = ["or", "wait", "o", "u", "espera"].contains(token.text)
                let isWhile = token.text == "while" && before != "a" && isOfOneTime
                if isDoubt || !reading.isOver(place), vocabulary.hedges.contains(token.text), !isWhile,
                    !vocabulary.turns.plain.contains(token.accented)
                {
                    throw .unclear
                }
                guard roles[place] != .aside else { continue }
                if isTimeWord(token.text, before) { throw .unclear }
                try refuseNumber(word, before)
                let isDenied = vocabulary.negations.contains(token.text) || token.text == "never"
                let isCut = words.tokens.at(word + 1).map { $0.isSign } ?? true
                // "At nine not to eat" says what not to do.
                let isDeed = token.text == "not" && words.tokens.at(word + 1)?.text == "to" && !isTime(word + 2)
                if isDenied, isCut || !isDeed && isTime(word - 1) || isTime(word + 1) || isTime(word + 2) {
                    throw .unclear
                }
                if isDenied, words.tokens.at(word + 1)?.text == "mind" { throw .unclear }
                let isNamed = !["the", "that", "same", "a", "all", "this", "my", "el", "un", "ese", "mi", "del"]
                    .contains(before)
                if ["day", "dia", "eve"].contains(token.text), isNamed { throw .day }
            }
        }
        try refuseReasons()
        if reading.isConditional, !words.marks.contains(where: { $0.isTimeOfDay || $0.isPart }) { throw .unclear }
        for clause in clauses where reading.isQuestionLeftOpen(clause) { throw .unclear }
    }

    /// Whether it is told at a time of day that is said, so that "while she's away" bounds nothing.
    private var isOfOneTime: Bool {
        words.marks.contains(where: \.isTimeOfDay) && !words.marks.contains(where: \.isWithinADay)
    }

    /// Refuses reasons that say on which days, where nothing else does or where they deny it.
    private func refuseReasons() throws(ReminderQuestion) {
        let hasDay = clauses.indices.contains { place in
            roles[place] != .aside && clauses[place].times.contains { $0.isDay || $0.isOften }
        }
        for (place, clause) in clauses.enumerated() where roles[place] == .aside && !reading.isOver(place) {
            let isDenied = clause.left.contains { vocabulary.negations.contains(words.tokens[$0].text) }
            let days = clause.times.filter(\.isDay)
            guard days.isEmpty || hasDay && !isDenied else { throw .unclear }
            if clause.times.contains(where: \.isBound) { throw .unclear }
        }
    }

    /// True if a word names a day or an hour that was not read.
    private func isTimeWord(_ word: String, _ before: String) -> Bool {
        if vocabulary.isUnreadTime(word, after: before), !vocabulary.turns.harmless.contains(word) { return true }
        if vocabulary.months.contains(word), vocabulary.isTime(word, after: before, isFirst: false) { return true }
        return vocabulary.hardTimes.contains(word)
    }

    /// Refuses a number that may be an hour or a day.
    private func refuseNumber(_ word: Int, _ before: String) throws(ReminderQuestion) {
        let (token, next) = (words.tokens[word], words.tokens.at(word + 1))
        guard token.isDigits || vocabulary.numbers.contains(token.text) else { return }
        if vocabulary.beforeTimes.contains(before) || vocabulary.turns.hours.contains(next?.text ?? "") { throw .time }
        if ["st", "nd", "rd", "th"].contains(next?.text ?? ""), words.tokens.isJoined(at: word + 1) { throw .day }
        let countsNothing = next.map { $0.isSign } ?? true || reading.isMarked(word + 1)
        if countsNothing, !vocabulary.ages.contains(before) { throw .time }
    }

    private func isTime(_ place: Int) -> Bool {
        words.found.contains { $0.range.contains(place) && $0.marks.contains(where: \.saysWhen) }
    }

    // MARK: When

    /// Times of day, and the clock of an event before which they lie.
    private struct Times {
        var marks: [TimeMark] = []
        var event: SaidClock?
        /// The clauses from which they are.
        var from: Set<Int> = []
        /// The words of the event's time, which are read back with its own.
        var shown: Range<Int>?

        func with(_ parts: [TimeMark]) -> Times {
            var times = self
            times.marks += parts
            return times
        }
    }

    /// The time at which to tell of something that has a time of its own before it: "at two, tell me at noon".
    private func toldAhead() -> Times? {
        let telling = aheadPlaces ?? tellingPlaces
        let others = (places(.asking) + places(.bare) + places(.told)).filter { !telling.contains($0) }
        let (own, events) = (groups(in: telling), groups(in: others))
        guard own.count == 1, events.count == 1, let one = own.first, let event = events.first,
            event.marks.onlyClock != nil, one.marks.onlyClock != nil, event.marks != one.marks,
            event.range.upperBound <= one.range.lowerBound, let place = event.places.first, event.places.count == 1,
            aheadPlaces != nil || telling.allSatisfy({ clauses[$0].sentence > clauses[place].sentence })
        else { return nil }
        // What is told about must be said beside its time.
        let said = clauses.indices.filter { clauses[$0].sentence == clauses[place].sentence }
        guard said.contains(where: { reading.hasWords(clauses[$0].left) }) else { return nil }
        var times = Times(marks: one.marks, from: one.places)
        if aheadPlaces == nil { times.event = event.marks.onlyClock }
        times.shown = event.range
        let sentences = Set(telling.map { clauses[$0].sentence })
        let parts = clauses.indices.filter { sentences.contains(clauses[$0].sentence) && roles[$0] != .aside }
            .filter { aheadPlaces == nil || telling.contains($0) || !clauses[$0].times.contains { $0.isTimeOfDay } }
            .flatMap { clauses[$0].times }.filter(\.isPart)
        return times.with(parts)
    }

    /// The clauses that say when to tell it a day ahead; nil when none does.
    private var aheadPlaces: [Int]? {
        let ahead = clauses.indices.first { place in
            roles[place] != .aside
                && clauses[place].times.contains { if case .daysBefore = $0 { true } else { false } }
        }
        guard let ahead else { return nil }
        if !clauses[ahead].clocks.isEmpty { return [ahead] }
        return clauses.indices.first {
            $0 > ahead && clauses[$0].sentence == clauses[ahead].sentence && !clauses[$0].clocks.isEmpty
                && roles[$0] == .bare
        }
        .map { [$0] }
    }

    /// The clauses that ask with a time, or those that say it beside the one that asks.
    private var tellingPlaces: [Int] {
        let asking = places(.asking)
        let timed = asking.filter { !clauses[$0].clocks.isEmpty }
        guard timed.isEmpty, let last = asking.last else { return timed }
        return places(.bare).filter {
            $0 > last && clauses[$0].sentence == clauses[last].sentence && !clauses[$0].clocks.isEmpty
        }
    }

    private func times() throws(ReminderQuestion) -> Times {
        let asking = places(.asking)
        let own = groups(in: asking)
        let others = groups(in: places(.bare) + places(.told))
        guard own.count <= 1 else { throw .oneAtATime }
        var times = Times()
        if let one = own.first {
            // Beside the time at which to tell it, only that of what is told about may stand.
            let events = groups(in: places(.told))
            guard groups(in: places(.bare)).allSatisfy({ $0.marks == one.marks }) else {
                if events.isEmpty, isListed(own + groups(in: places(.bare))) {
                    return list(own + groups(in: places(.bare)))
                }
                throw .oneAtATime
            }
            // Words with a time of their own are another reminder, unless they describe an event.
            let isMore = events.contains { event in
                event.places.contains { $0 > (one.places.max() ?? 0) && !isTale($0) && !reading.isEvent($0) }
            }
            guard !isMore, events.count <= 1, !others.contains(where: { $0.marks.contains(where: \.isSpan) }) else {
                throw .oneAtATime
            }
            times = Times(marks: one.marks, from: one.places)
            times.event = events.first.flatMap { $0.marks.onlyClock }
        } else if others.count > 1 {
            guard isListed(others) else { throw .oneAtATime }
            times = list(others)
        } else if let one = others.first {
            times = Times(marks: one.marks, from: one.places)
        }
        let parts = clauses.indices.filter { roles[$0] == .bare || roles[$0] == .asking || times.from.contains($0) }
            .flatMap { clauses[$0].times }.filter(\.isPart)
        let told = places(.told).flatMap { clauses[$0].times }.filter(\.isPart)
        if parts.isEmpty, told.count == 1, times.event == nil { return times.with(told) }
        return times.with(parts)
    }

    private struct Group {
        var marks: [TimeMark]
        var places: Set<Int>
        var range: Range<Int>

        /// True if the time itself says that it comes once more.
        func marksAgain(_ words: MarkedWords) -> Bool { words.tokens[range].contains { $0.text == "again" } }
    }

    /// The times of day of some clauses, those that stand together as one.
    private func groups(in places: [Int]) -> [Group] {
        var groups: [Group] = []
        for place in places.sorted() {
            for mark in clauses[place].found where mark.marks.contains(where: { $0.isTimeOfDay || $0.isSpan }) {
                let own = mark.marks.filter { $0.isTimeOfDay || $0.isSpan }
                if let same = groups.firstIndex(where: { $0.marks == own }) {
                    groups[same].places.insert(place)
                } else {
                    groups.append(Group(marks: own, places: [place], range: mark.range))
                }
            }
        }
        return groups
    }

    /// True if several times are a list: nothing but times and joints stand between them, or they come again.
    private func isListed(_ groups: [Group]) -> Bool {
        let isRepeated = words.marks.contains { mark in
            if case .timesADay = mark { true } else { mark == .everyDays(1) }
        }
        guard isRepeated, groups.allSatisfy({ $0.marks.allSatisfy { if case .clocks = $0 { true } else { false } } })
        else {
            return false
        }
        let ordered = groups.sorted { $0.range.lowerBound < $1.range.lowerBound }
        return zip(ordered, ordered.dropFirst()).allSatisfy { one, next in
            let between = (one.range.upperBound..<next.range.lowerBound).filter { !reading.isMarked($0) }
                .map { words.tokens[$0].text }
            return between.allSatisfy { vocabulary.listing.contains($0) || !$0.contains(where: \.isLetter) }
                || words.tokens.at(next.range.lowerBound - 1)?.text == "again" || next.marksAgain(words)
        }
    }

    private func list(_ groups: [Group]) -> Times {
        Times(marks: groups.flatMap(\.marks), from: groups.reduce(into: []) { $0.formUnion($1.places) })
    }

    /// Words that name days: those of the request, else those beside the time, else those of the described event.
    private func days(beside times: Times) throws(ReminderQuestion) -> [TimeMark] {
        func days(_ places: [Int]) -> [TimeMark] {
            reading.unique(
                places.flatMap { place in
                    clauses[place].times.filter {
                        $0.isDay || $0.isOften || $0.isOpen && !(roles[place] == .told && isTale(place))
                    }
                }
            )
        }
        let near = clauses.indices.filter { roles[$0] == .asking || roles[$0] == .bare || times.from.contains($0) }
        let far = places(.told).filter { !times.from.contains($0) }
        let (own, other) = (days(near), days(far))
        if own.contains(where: { $0.isDay && $0 != .everyWeeks(1) }) {
            guard contrasts(other, with: own + bounds) else { throw .oneAtATime }
            return own
        }
        return own + other
    }

    /// True if the days of what is told about leave those of the reminder as they are.
    private func contrasts(_ told: [TimeMark], with own: [TimeMark]) -> Bool {
        let ownDays = own.weekdays
        return told.allSatisfy { mark in
            if own.contains(mark) || !mark.isRepetition && !own.contains(where: \.isRepetition) { return true }
            guard case .weekdays(let days, _) = mark else {
                if case .day(.coming(let day)) = mark { return !ownDays.isEmpty && !ownDays.contains(day) }
                return false
            }
            return !ownDays.isEmpty && ownDays.isDisjoint(with: days)
        }
    }

    /// Words for the first day, the last day and the notice, anywhere in the sentence.
    private var bounds: [TimeMark] {
        clauses.indices.filter { roles[$0] != .aside }.flatMap { clauses[$0].times }.filter(\.isBound)
    }

    // MARK: What

    private func title() throws(ReminderQuestion) -> [Range<Int>] {
        let asking = places(.asking)
        let worded = asking.filter { !after($0).isEmpty }
        guard worded.count <= 1 || Set(worded.map { after($0).map { words.tokens[$0].text } }).count == 1 else {
            throw .oneAtATime
        }
        if let one = worded.first { return try checked(after(one)) }
        if !asking.isEmpty, reading.isWaking { return [] }
        let told = places(.told).filter { !isContrast($0) }
        let next = asking.first.flatMap { one in
            told.first { $0 > one && clauses[$0].sentence == clauses[one].sentence }
        }
        let plain = told.first { !isTale($0) && reading.hasWords(clauses[$0].left) }
        if let place = next.flatMap({ isTale($0) ? nil : $0 }) ?? plain ?? told.first {
            return try checked(clauses[place].left)
        }
        let reason = clauses.indices.first { roles[$0] == .aside && clauses[$0].isReason && !reading.isOver($0) }
        if let reason { return try checked(reading.afterReason(reason)) }
        if let before = asking.first.map({ clauses[$0].left }), !before.isEmpty { return try checked(before) }
        throw .what
    }

    /// The title, with the time of the event where it is the event that is told of.
    private func title(showing times: Times) throws(ReminderQuestion) -> [Range<Int>] {
        let title = try title()
        guard let shown = times.shown, let event = clauses.first(where: { $0.range.contains(shown.lowerBound) }) else {
            return title
        }
        let places = clauses.filter { $0.sentence == event.sentence }.map(\.range)
        guard title.allSatisfy({ run in places.contains { $0.contains(run.lowerBound) } }) else { return title }
        if title.allSatisfy({ event.range.contains($0.lowerBound) }) {
            let begin = event.found.last(where: reading.asks)?.range.upperBound ?? event.range.lowerBound
            if shown.lowerBound >= begin { return [reading.trimmed(begin..<event.range.upperBound)] }
        }
        return (title + [shown]).sorted { $0.lowerBound < $1.lowerBound }
    }

    /// Whether a clause only says what somebody else does on other days.
    private func isContrast(_ place: Int) -> Bool {
        !clauses[place].times.isEmpty && clauses[place].clocks.isEmpty && isTale(place)
    }

    /// The words of an asking clause after its request; before it where nothing follows.
    private func after(_ place: Int) -> [Int] {
        let clause = clauses[place]
        guard let request = clause.found.last(where: { reading.asks($0) }) else { return [] }
        let after = clause.left.filter { $0 >= request.range.upperBound }
        if reading.hasWords(after) { return after }
        let before = clause.left.filter { $0 < request.range.lowerBound }
        return reading.hasWords(before) && !isTale(place) ? before : []
    }

    private func checked(_ places: [Int]) throws(ReminderQuestion) -> [Range<Int>] {
        guard places.count <= Self.longestTitle else { throw .unclear }
        return reading.runs(places)
    }
}

extension TimeMark {
    /// True if it says how often without saying on which days.
    fileprivate var isOften: Bool {
        switch self {
        case .timesADay, .everyMinutes, .timesAWeek: true
        default: false
        }
    }

    /// True if it says between which times.
    fileprivate var isSpan: Bool { if case .between = self { true } else { false } }

    /// True if it is understood and must be asked about.
    fileprivate var isOpen: Bool { if case .open = self { true } else { false } }

    /// True if it bounds or shifts what is said elsewhere.
    fileprivate var isBound: Bool {
        switch self {
        case .except, .start, .until, .untilTime, .forDays, .forMonths, .count, .ahead, .daysBefore, .eating: true
        default: false
        }
    }
}

extension [TimeMark] {
    /// The one time of day that is said; nil when it is none or several.
    fileprivate var onlyClock: SaidClock? {
        guard count == 1, case .clocks(let clocks) = self[0], clocks.count == 1 else { return nil }
        return clocks[0]
    }

    /// All days of the week that are said.
    fileprivate var weekdays: Set<Weekday> {
        var days: Set<Weekday> = []
        for mark in self {
            switch mark {
            case .weekdays(let more, _): days.formUnion(more)
            case .everyDays(1): days.formUnion(Weekday.allCases)
            default: continue
            }
        }
        for case .except(let left) in self { days.subtract(left) }
        return days
    }
}
