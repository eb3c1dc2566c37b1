import CivilDate
package import Time

/// The calls that a provider allows, and a row that remembers those that were made.
///
/// The row is shared by all processes: it is changed before the call, in the transaction that read it. Failed calls count too,
/// unless no byte of them was sent.
/// The limit holds for every window of a minute, whatever the clock does: calls that seem to lie in the future count as made
/// now.
package struct CallBudget: Hashable, Sendable {
    /// What was used so far.
    package struct Row: Hashable, Sendable {
        /// The times of the calls of the last minute, in the order in which they were made.
        package var calls: [Instant]
        /// The month of the counter, as year · 12 + month - 1 in UTC.
        package var month: Int
        /// The number of calls in that month.
        package var monthCalls: Int
        /// No call before this time.
        package var blockedUntil: Instant?
        /// The number of rate limits in a row, for the back-off.
        package var rateLimits: Int

        package init(
            calls: [Instant] = [], month: Int = 0, monthCalls: Int = 0, blockedUntil: Instant? = nil,
            rateLimits: Int = 0
        ) {
            self.calls = calls
            self.month = month
            self.monthCalls = monthCalls
            self.blockedUntil = blockedUntil
            self.rateLimits = rateLimits
        }
    }

    /// Whether a call may be made.
    package enum Decision: Hashable, Sendable {
        /// Yes, once the row is stored.
        case allow(Row)
        /// Not before this time. The row differs from the given one when the clock was set back; it is stored then, so that
        /// its calls lie in the past a minute later.
        case wait(until: Instant, Reason, Row)
    }

    /// The reason to wait.
    package enum Reason: Hashable, Sendable {
        /// The last call was just now; more are left.
        case spacing
        /// The minute is used up.
        case minute
        /// The month is used up.
        case month
        /// The provider asked for a pause.
        case rateLimited
    }

    /// The maximum number of calls in any minute.
    package let perMinute: Int
    /// The maximum number of calls in a month of UTC; nil for none.
    package let perMonth: Int?
    /// The shortest time between two calls.
    package let spacing: Duration

    /// Creates a budget; at least one call a minute is allowed.
    package init(perMinute: Int, perMonth: Int? = nil, spacing: Duration = .zero) {
        self.perMinute = max(perMinute, 1)
        self.perMonth = perMonth
        self.spacing = spacing
    }

    /// The window that ``perMinute`` is about. It is longer than a minute, for the time that a call takes to arrive.
    package static let window = Duration.seconds(61)
    /// The longest time that a provider can make a program wait.
    package static let maximumPause = Duration.seconds(3600)

    /// Asks for a call.
    package func request(_ row: Row, now: Instant) -> Decision {
        var row = row
        // A clock that was set back leaves calls and pauses in the future; they are taken as of now.
        row.calls = row.calls.map { min($0, now) }.filter { now - $0 < CallBudget.window }
        if let blocked = row.blockedUntil {
            let end = min(blocked, now + CallBudget.maximumPause)
            row.blockedUntil = end > now ? end : nil
            if end > now { return .wait(until: end, .rateLimited, row) }
        }
        let month = CallBudget.month(of: now)
        if row.month != month { (row.month, row.monthCalls) = (month, 0) }
        if let perMonth, row.monthCalls >= perMonth {
            return .wait(until: CallBudget.start(ofMonth: month + 1), .month, row)
        }
        if row.calls.count >= perMinute {
            return .wait(until: row.calls[row.calls.count - perMinute] + CallBudget.window, .minute, row)
        }
        if let last = row.calls.last, now - last < spacing { return .wait(until: last + spacing, .spacing, row) }
        row.calls.append(now)
        row.monthCalls += 1
        return .allow(row)
    }

    /// Returns the row without the call of a time, of which no byte was sent.
    package func givenBack(_ row: Row, call: Instant) -> Row {
        var row = row
        guard let place = row.calls.lastIndex(of: call) else { return row }
        row.calls.remove(at: place)
        if row.month == CallBudget.month(of: call) { row.monthCalls = max(row.monthCalls - 1, 0) }
        return row
    }

    /// Returns the row after an answer that was no rate limit. A pause that another call was given meanwhile stays.
    package func succeeded(_ row: Row) -> Row {
        var row = row
        if row.blockedUntil == nil { row.rateLimits = 0 }
        return row
    }

    /// Returns the row after a rate limit (429).
    /// - Parameters:
    ///   - wait: The time that the provider named; nil if it named none. Times that are not positive count as none.
    ///   - random: A number in 0..<1, for the jitter.
    package func rateLimited(_ row: Row, wait: Duration?, now: Instant, random: Double) -> Row {
        var row = row
        row.rateLimits = min(row.rateLimits + 1, 30)
        let pause = wait.flatMap { $0 > .zero ? min($0, CallBudget.maximumPause) : nil }
        let end = now + (pause ?? Backoff.rateLimit.delay(attempt: row.rateLimits, random: random))
        // A longer pause that another call was given stays, unless the clock was set back since then.
        let known = row.blockedUntil.map { min($0, now + CallBudget.maximumPause) } ?? end
        row.blockedUntil = max(end, known)
        return row
    }

    private static func month(of now: Instant) -> Int {
        let parts = TimeZoneRules.utc.localTime(at: now).day.components
        return parts.year * 12 + parts.month - 1
    }

    private static func start(ofMonth month: Int) -> Instant {
        let day = CivilDate(year: month / 12, month: month % 12 + 1, day: 1)?.daysSinceEpoch ?? 0
        return Instant(milliseconds: Int64(day) * 86_400_000)
    }
}
