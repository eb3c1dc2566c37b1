import CivilDate

/// A pure rule for repeating failed requests. ``HTTPClient/send(_:retrying:timing:)`` does the waiting.
package struct HTTPRetryPolicy: Hashable, Sendable {
    /// The maximum number of times that a request is sent.
    package var attempts: Int
    /// The wait after the first failure; each further one doubles it.
    package var firstDelay: Duration
    /// The longest such wait.
    package var longestDelay: Duration
    /// The longest wait that a server may ask for; when it asks for more, its answer is handed out.
    package var longestRetryAfter: Duration
    /// The methods whose request may be sent again although the first may have been acted on.
    package var repeatable: Set<HTTPMethod>

    package init(
        attempts: Int = 4, firstDelay: Duration = .milliseconds(500), longestDelay: Duration = .seconds(30),
        longestRetryAfter: Duration = .seconds(60), repeatable: Set<HTTPMethod> = [.get, .head, .options]
    ) {
        self.attempts = attempts
        self.firstDelay = firstDelay
        self.longestDelay = longestDelay
        self.longestRetryAfter = longestRetryAfter
        self.repeatable = repeatable
    }

    /// Nothing is sent twice.
    package static let never = HTTPRetryPolicy(attempts: 1)

    /// Returns the delay before `method` is sent again after the outcome of its `attempt`-th try, counted from one;
    /// nil to give up.
    ///
    /// An answer of 429, or of 503 with Retry-After, says that nothing was done and lets any method be repeated. `now` is
    /// in seconds since 1970 UTC; `random` from 0 up to 1 spreads the waits of many clients.
    package func delay(
        after outcome: Result<HTTPResponse, HTTPError>, attempt: Int, method: HTTPMethod, now: Int64, random: Double
    ) -> Duration? {
        guard attempt < attempts else { return nil }
        let isRepeatable = repeatable.contains(method)
        switch outcome {
        case .failure(let error): return error.isTransient && isRepeatable ? backOff(attempt, random) : nil
        case .success(let response):
            let asked = retryAfter(response, now: now)
            switch response.status {
            case 429: break
            case 503 where asked != nil || isRepeatable: break
            case 408, 425, 500, 502, 504: guard isRepeatable else { return nil }
            default: return nil
            }
            let delay = backOff(attempt, random)
            guard let asked else { return delay }
            return asked > longestRetryAfter ? nil : max(asked, delay)
        }
    }

    /// Between a half and the whole of a wait that doubles each time.
    private func backOff(_ attempt: Int, _ random: Double) -> Duration {
        var delay = firstDelay
        for _ in 1..<max(attempt, 1) where delay < longestDelay { delay = delay * 2 }
        return min(delay, longestDelay) * (0.5 + random / 2)
    }

    /// Returns the delay of the field Retry-After (RFC 9110 §10.2.3).
    private func retryAfter(_ response: HTTPResponse, now: Int64) -> Duration? {
        guard let text = response.headers["Retry-After"] else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return .seconds(min(seconds, 1 << 32)) }
        return HTTPDate.seconds(text).map { .seconds(max(0, $0 - now)) }
    }
}

extension HTTPError {
    /// Whether the same request may well succeed a little later.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .connectionLost: true
        default: false
        }
    }
}

/// The clock and the chance that retrying needs, from the caller.
package struct RetryTiming: Sendable {
    /// Seconds since 1970-01-01 UTC.
    package var now: @Sendable () -> Int64
    /// A number from 0 up to 1.
    package var random: @Sendable () -> Double
    /// Waits; throws when the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void

    /// Creates a policy; the defaults suit an idempotent request.
    package init(
        now: @escaping @Sendable () -> Int64,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) },
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.now = now
        self.random = random
        self.sleep = sleep
    }
}

/// Moments as HTTP writes them (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970-01-01 UTC of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`; nil for any other form.
    static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])),
            let day = number(words[1]), let year = number(words[3]),
            let date = CivilDate(year: year, month: month + 1, day: day)
        else { return nil }
        let time = words[4].split(separator: ":").map { number($0) }
        guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2], hour < 24, minute < 60,
            second <= 60
        else { return nil }
        return Int64(date.daysSinceEpoch) * 86400 + Int64(hour * 3600 + minute * 60 + second)
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.count <= 4 && text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int(text) : nil
    }
}
