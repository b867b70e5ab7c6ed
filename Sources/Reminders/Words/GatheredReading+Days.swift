extension GatheredReading {
    /// Words that name days: those of the request, else those beside the time, else those of the described event.
    func days(beside times: Times) throws(ReminderQuestion) -> [TimeMark] {
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
    func contrasts(_ told: [TimeMark], with own: [TimeMark]) -> Bool {
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
    var bounds: [TimeMark] {
        clauses.indices.filter { roles[$0] != .aside }.flatMap { clauses[$0].times }.filter(\.isBound)
    }
}
