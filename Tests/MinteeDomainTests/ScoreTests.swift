import CivilDate
import MinteeDomain
import Testing

/// Loop's score against its own vectors, and streaks, shares and buffers of tasks.
struct ScoreTests {
    private func near(_ found: [Double], _ expected: [Double]) -> Bool {
        found.count == expected.count && zip(found, expected).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test func `a daily habit`() {
        let expected = [
            0.051922, 0.101149, 0.147820, 0.192067, 0.234017, 0.273788, 0.311495, 0.347244, 0.381137, 0.413270,
            0.443734,
            0.472617, 0.500000,
        ]
        let scores = LoopScore.scores(of: Array(repeating: .yes, count: 20), times: 1, in: 1)
        #expect(near(Array(scores.prefix(13)), expected))
        #expect(near([scores[19]], [0.655747]))
    }

    @Test(
        arguments: [
            (1.0, 0.5, 1.0, 0.525961), (1, 0.5, 0, 0.474039), (1, 0.75, 1, 0.762981), (1, 0.75, 0, 0.711058),
            (1.0 / 3, 0, 1, 0.030314), (1.0 / 3, 0.5, 1, 0.515157), (1.0 / 3, 0.5, 0, 0.484842),
        ] as [(Double, Double, Double, Double)])
    func `one step`(frequency: Double, score: Double, completion: Double, expected: Double) {
        #expect(abs(LoopScore.next(frequency: frequency, score: score, completion: completion) - expected) < 1.5e-6)
    }

    @Test(
        arguments: [(1.0, 0.051922), (3.0 / 7, 0.034303), (2.0 / 7, 0.028098), (0.5, 0.037), (1.0 / 7, 0.019951)]
            as [(Double, Double)])
    func `how much a day weighs`(frequency: Double, weight: Double) {
        #expect(abs(1 - LoopScore.multiplier(frequency: frequency) - weight) < 1.5e-5)
    }

    @Test func `rarer habits`() {
        #expect(near([LoopScore.scores(of: [.yes, .yes], times: 1, in: 2)[1]], [0.054816]))
        #expect(near([LoopScore.scores(of: [1, 1], .atLeast(1), times: 1, in: 2)[1]], [0.072631]))
        func weeks(_ wanted: Int) -> Double {
            let week: [LoopScore.Check] = [.yes, .yes, .no, .no, .no, .no, .no]
            let all = (0..<100).flatMap { _ in week }
            return LoopScore.scores(of: all, times: wanted, in: 7).last ?? 0
        }
        #expect(abs(weeks(3) - 2.0 / 3) < 0.005 && abs(weeks(4) - 0.5) < 0.005)
    }

    @Test func `habits that are to stay below a limit`() {
        func end(_ amount: Double) -> Double {
            LoopScore.scores(of: Array(repeating: amount, count: 500), .atMost(2)).last ?? 0
        }
        #expect(abs(end(3) - 0.5) < 1e-6 && abs(end(3.5) - 0.25) < 1e-6)
        #expect(near(LoopScore.scores(of: [2, 5000, 5000, 5000], .atMost(2)), [1.0, 0.948078, 0.898851, 0.852180]))
        #expect(LoopScore.scores(of: [0], .atMost(0)) == [1])
    }

    @Test(
        arguments: [
            (Target.atLeast(20), 15, 0.75), (.atLeast(20), -3, 0), (.atLeast(20), 20, 1), (.atLeast(0), -1, 0),
            (.atMost(3), 4, 2.0 / 3), (.atMost(3), 6, 0), (.atMost(3), 60, 0), (.atMost(0), 1, 0), (.atMost(3), 0, 1),
            (Target(unchecked: .lessOrEqual, .lessOrEqual, 6, 10), 3, 0.5),
            (Target(unchecked: .lessOrEqual, .lessOrEqual, 6, 10), 15, 0.5),
            (Target(unchecked: .equal, .none, 2, 0), 1, 0.5), (Target(unchecked: .equal, .none, 2, 0), 3, 0.5),
            (Target(unchecked: .less, .none, 4, 0), 4, 1), (Target(unchecked: .less, .none, 4, 0), 1, 0.25),
        ] as [(Target, Double, Double)])
    func `the share of a target that a value earns`(target: Target, value: Double, share: Double) {
        #expect(abs(target.credit(of: value) - share) < 1e-12)
    }

    @Test(arguments: [Target.atLeast(20), .atMost(20)])
    func `with the shares of missed targets, the score of a daily amount is that of Loop`(target: Target) throws {
        let amounts: [Double] = (0..<120).map { Double(($0 * 7) % 45) }
        let first = CivilDate(daysSinceEpoch: 20_000)
        let days = amounts.indices.map { first.adding(days: $0) }
        let states = amounts.map { DayState(target.category(of: $0), isEntered: true) }
        let schedule = Schedule.recurring(from: first, to: days[119], [TargetSet(.daily, target)])
        let found = TaskStatistics(
            Timeline(first: first, states: states), schedule: schedule, today: days[119].adding(days: 1),
            credits: Dictionary(uniqueKeysWithValues: zip(days, amounts.map { target.credit(of: $0) }))
        ).score
        let goal: LoopScore.Goal = target.minOperator == .none ? .atMost(20) : .atLeast(20)
        // Loop begins a limit with 1, of which little is left after four months.
        let expected = try #require(LoopScore.scores(of: amounts, goal).last)
        #expect(abs(found - expected) < (target.minOperator == .none ? 0.002 : 1e-9))
    }

    @Test func `a skipped day leaves the score`() {
        let scores = LoopScore.scores(of: [.yes, .skip], times: 1, in: 1)
        #expect(scores[0] == scores[1])
    }

    /// A task whose days since 2 November 2026, a Monday, are given by letters: r, u, o entered, s skipped, U untouched,
    /// `.` not due.
    private func standing(_ letters: String, pattern: String = "daily", today: String) throws -> TaskStatistics {
        let first = try day("2026-11-02")
        let states = letters.map { letter -> DayState in
            switch letter {
            case "r": DayState(.reached, isEntered: true)
            case "u": DayState(.under, isEntered: true)
            case "o": DayState(.over, isEntered: true)
            case "U": DayState(.under, isEntered: false)
            case "s": .skipped
            default: .notDue
            }
        }
        let schedule = Schedule.recurring(
            from: first, to: try day("2027-11-02"), [TargetSet(try DayPattern(pattern))])
        return TaskStatistics(Timeline(first: first, states: states), schedule: schedule, today: try day(today))
    }

    @Test(arguments: [
        ("rrrr", 4, 4), ("rrrU", 3, 3), ("rruU", 0, 2), ("rsrr", 3, 3), ("r.r.", 2, 2), ("rrro", 0, 3), ("rrru", 3, 3),
        ("rurr", 2, 2),
    ])
    func `streaks go over due days, and today is not lost yet`(letters: String, current: Int, longest: Int) throws {
        let standing = try standing(letters, today: "2026-11-05")
        #expect(standing.streak == Streak(current: current, longest: longest), "\(letters)")
    }

    @Test func `n of m counts what is decided`() throws {
        let open = try standing("rrurU", today: "2026-11-06")
        #expect(open.reached == 3 && open.due == 4)
        let over = try standing("rrsro", today: "2026-11-06")
        #expect(over.reached == 3 && over.due == 4)
    }

    @Test func `the buffer says how much may be missed`() throws {
        #expect(try standing("rrrrrrrr", today: "2026-11-09").buffer == 2)
        #expect(try standing("uuuU", today: "2026-11-05").buffer == nil)
        let all = String(repeating: "r", count: 28)
        #expect(try standing(all, today: "2026-11-29").buffer == 5)
    }

    @Test func `the buffer agrees with the share beside it`() throws {
        // Today is open, so 27 days count: 22 of them are reached, and 22 of the 28 that end with yesterday.
        let shown = "u" + String(repeating: "r", count: 22) + "uuuuuU"
        let edge = try standing(shown, today: "2026-11-30")
        #expect(edge.reached == 22 && edge.due == 27 && edge.buffer == 0)
        let below = try standing("u" + String(repeating: "r", count: 21) + "uuuuuuU", today: "2026-11-30")
        #expect(below.reached == 21 && below.due == 27 && below.buffer == nil)
    }

    @Test func `the score of a daily task is Loop's, and a weekly one moves as slowly`() throws {
        #expect(abs(try standing("rrr", today: "2026-11-04").score - 0.147820) < 1e-6)
        #expect(abs(try standing("rrrU", today: "2026-11-05").score - 0.147820) < 1e-6)
        let weekly = try standing("r......r......", pattern: "Mon", today: "2026-11-15").score
        let loop = LoopScore.scores(of: Array(repeating: 1, count: 14), .atLeast(1), times: 1, in: 7)
        #expect(abs(weekly - (loop.last ?? 0)) < 1e-9)
    }
}

extension ScoreTests {
    /// A month after its only day nothing has been done or missed since.
    @Test func `the score stays when the last due day is over`() throws {
        let first = try day("2026-01-05")
        let schedule = Schedule.dates([first])
        func score(_ days: Int) -> Double {
            let states = [DayState(.reached, isEntered: true)] + Array(repeating: DayState.notDue, count: days)
            return TaskStatistics(
                Timeline(first: first, states: states), schedule: schedule, today: first.adding(days: days)
            ).score
        }
        #expect(score(0) > 0.05 && score(30) == score(0) && score(365) == score(0))
    }

    @Test func `the score of a course stays as its last day left it`() throws {
        let first = try day("2026-11-02")
        let course = Schedule.recurring(from: first, to: first.adding(days: 4), [TargetSet(.daily)])
        let done = Array(repeating: DayState(.reached, isEntered: true), count: 4)
        func score(_ last: CompletionCategory, after days: Int) -> Double {
            let states =
                done + [DayState(last, isEntered: true)] + Array(repeating: DayState.notDue, count: days)
            let today = first.adding(days: 4 + days)
            return TaskStatistics(Timeline(first: first, states: states), schedule: course, today: today).score
        }
        #expect(score(.reached, after: 200) == score(.reached, after: 0))
        // The last day is open until it is over.
        #expect(score(.under, after: 200) == score(.under, after: 1) && score(.under, after: 1) > 0.1)
    }

    @Test func `days that are skipped or done ahead need no buffer`() throws {
        let first = try day("2026-11-01")
        let today = first.adding(days: 27)
        let schedule = Schedule.recurring(from: first, to: today.adding(days: 90), [TargetSet(.daily)])
        let before = Array(repeating: DayState(.reached, isEntered: true), count: 28)
        func buffer(_ ahead: [DayState]) -> Int? {
            TaskStatistics(Timeline(first: first, states: before + ahead), schedule: schedule, today: today).buffer
        }
        #expect(buffer([]) == 5)
        #expect(buffer(Array(repeating: .skipped, count: 28)) == 0)
        #expect(buffer([DayState(.reached, isEntered: true), DayState(.reached, isEntered: true)]) == 5)
    }

    /// The amounts of Loop's own test with skips.
    @Test func `a skipped day leaves the score of amounts as it is`() {
        let scores = LoopScore.scores(of: [2000, nil, nil, 2000, 0, nil], .atLeast(2000))
        #expect(scores[1] == scores[0] && scores[2] == scores[0] && scores[5] == scores[4] && scores[4] < scores[3])
        #expect(LoopScore.scores(of: [1, nil], .atMost(2)) == LoopScore.scores(of: [1, 1], .atMost(2)))
    }
}
