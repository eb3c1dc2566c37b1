import CivilDate
import System
import Testing

/// python-dateutil, which has its own idea of what a recurrence rule says. `.ci/setup test` installs it.
enum Dateutil {
    /// A rule with its `DTSTART`, followed to `last`.
    struct Question {
        let rule: String
        let start: CivilDate
        let last: CivilDate
    }

    /// A fingerprint of the days of a rule: their number, and a sum that depends on each of them and on their order.
    struct Answer: Hashable {
        var count = 0
        var sum: UInt32 = 0

        init(count: Int, sum: UInt32) { (self.count, self.sum) = (count, sum) }

        init(_ days: some Sequence<CivilDate>) {
            for day in days {
                count += 1
                // Python counts days from 0001-01-01.
                sum = sum &* 1_000_003 &+ UInt32(day.daysSinceEpoch + 719_163)
            }
        }
    }

    private static let program = """
        import sys
        from datetime import datetime
        from dateutil.rrule import rrulestr
        for line in sys.stdin:
            start, last, rule = line.rstrip("\\n").split(" ")
            last = datetime.strptime(last, "%Y-%m-%d")
            count, total = 0, 0
            for day in rrulestr(rule, dtstart=datetime.strptime(start, "%Y-%m-%d")):
                if day > last:
                    break
                count, total = count + 1, (total * 1000003 + day.toordinal()) & 0xFFFFFFFF
            print(count, total)
        """

    /// The results of dateutil, from one run of Python.
    static func answers(to questions: [Question]) async throws -> [Answer] {
        let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let input = questions.map { "\($0.start) \($0.last) \($0.rule)\n" }.joined()
        let finished = try await Subprocess("\(root)/.build/peers/bin/python", ["-c", program], environment: [:])
            .run(input: Array(input.utf8), outputLimit: 64 << 20, timeout: .seconds(3600))
        try #require(
            finished.status.isSuccess,
            "python-dateutil is not in .build/peers, or failed: \(String(decoding: finished.errorOutput, as: UTF8.self))"
        )
        return try String(decoding: finished.output, as: UTF8.self).split(separator: "\n").map { line in
            let numbers = line.split(separator: " ")
            return Answer(count: try #require(Int(numbers[0])), sum: try #require(UInt32(numbers[1])))
        }
    }
}
