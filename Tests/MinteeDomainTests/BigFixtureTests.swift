import CivilDate
import Hashing
import MinteeDomain
import Testing

/// The app's large fixture: three overlapping sets over sixteen months, edits of it, and what each edit drops.
struct BigFixtureTests {
    typealias Named = (name: String, set: TargetSet)

    static func set(_ text: String) -> TargetSet {
        guard let set = try? TargetSet(text) else { preconditionFailure("\(text) is a target set") }
        return set
    }

    static let a: Named = ("dow", set("Sun,Mon,Tue,Fri: 1 < x < 2"))
    static let b: Named = ("wom", set("1st,3rd,Last Mon,Wed: 3 < x < 4"))
    static let c: Named = ("dom", set("1-10,last: 5 < x < 6"))
    static let newD: Named = ("new", set("Mon: 101 < x < 102"))
    static let newW: Named = ("newWom", set("1st,3rd,Last Mon,Fri: 103 < x < 104"))
    static let newM: Named = ("newDom", set("3,6,9,12,15,18,21,24,27,30: 105 < x < 106"))

    static func schedule(_ sets: [Named], from: String = "2019-11-01", to: String = "2021-03-01") throws -> Schedule {
        .recurring(from: try day(from), to: try day(to), sets.map(\.set))
    }

    /// `DATE name` for each day.
    static func lines(_ sets: [Named], _ schedule: Schedule) -> [String] {
        var lines: [String] = []
        schedule.forEachDay { date, set in
            if let set { lines.append("\(date) \(sets[set].name)") }
        }
        return lines
    }

    static let alone: [(Named, Int, String)] = [
        (a, 279, "586e88d29634173a"), (b, 97, "88cfea53ce67dc74"), (c, 177, "5957e3fdc9f88bb1"),
    ]

    @Test func `each set alone`() throws {
        for (set, count, hash) in Self.alone {
            let days = try Self.schedule([set]).days
            #expect(days.count == count)
            #expect(try sha256Prefix(days.map(\.description).joined(separator: "\n")) == hash, "\(set.name)")
        }
        let sizes = [(Self.newD, 70), (Self.newW, 97), (Self.newM, 158)]
        for (set, count) in sizes { #expect(try Self.schedule([set]).days.count == count) }
    }

    @Test(arguments: [
        ("2019-01-01", "2021-03-01", [452, 157, 287]), ("2020-02-01", "2021-03-01", [226, 79, 144]),
        ("2019-11-01", "2020-06-30", [140, 48, 88]), ("2019-11-01", "2022-09-01", [592, 204, 375]),
    ])
    func `each set over other ranges`(from: String, to: String, counts: [Int]) throws {
        for (set, count) in zip([Self.a, Self.b, Self.c], counts) {
            #expect(try Self.schedule([set], from: from, to: to).days.count == count)
        }
    }

    typealias Case = (sets: [Named], from: String, to: String, split: [String: Int], hash: String)

    static let cases: [Case] = [
        ([a, b, c], "2019-11-01", "2021-03-01", ["dow": 279, "wom": 48, "dom": 56], "31706ab53b5f5ff1"),
        ([a, b, c], "2019-01-01", "2021-03-01", ["dow": 452, "wom": 78, "dom": 93], "a7723f5c8f5866ab"),
        ([a, b, c], "2019-11-01", "2020-06-30", ["dow": 140, "wom": 24, "dom": 27], "bb083b746b0ce77b"),
        ([b, c], "2019-11-01", "2021-03-01", ["wom": 97, "dom": 141], "72463f15a626ce0b"),
        (
            [newD, a, b, c], "2019-11-01", "2021-03-01", ["new": 70, "dow": 209, "wom": 48, "dom": 56],
            "c869df660d5b2972"
        ),
    ]

    @Test func `overlapping sets`() throws {
        for (sets, from, to, split, hash) in Self.cases {
            let lines = Self.lines(sets, try Self.schedule(sets, from: from, to: to))
            let counts = Dictionary(grouping: lines) { String($0.dropFirst(11)) }.mapValues(\.count)
            #expect(counts == split)
            #expect(try sha256Prefix(lines.sorted().joined(separator: "\n")) == hash)
        }
        #expect(try Self.schedule([]).days.isEmpty)
    }

    @Test(arguments: [
        ([a, b, c], "01A 02C 03A 04A 05A 06B 07C 08A 09C 10A 11A 12A 15A 17A 18A 19A 20B 22A 24A 25A 26A 27B 29A 30C"),
        ([b, c], "01C 02C 03C 04B 05C 06B 07C 08C 09C 10C 18B 20B 25B 27B 30C"),
        (
            [newM, a, newW, b, newD, c],
            """
            01A 02C 03M 04A 05A 06M 07C 08A 09M 10A 11A 12M 15M 17A 18M 19A 20B 21M 22A 24M 25A 26A 27M 29A 30M
            """
        ),
    ])
    func `November 2019`(sets: [Named], expected: String) throws {
        let letters = ["dow": "A", "wom": "B", "dom": "C", "newDom": "M", "newWom": "W", "new": "D"]
        let lines = Self.lines(sets, try Self.schedule(sets, to: "2019-11-30"))
        let days = lines.map { line -> String in
            String(line.dropFirst(8).prefix(2)) + (letters[String(line.dropFirst(11))] ?? "?")
        }
        #expect(days == expected.split(separator: " ").map(String.init))
    }

    @Test func `what edits drop`() throws {
        let before = try Self.schedule([Self.a, Self.b, Self.c]).days
        func losses(_ schedule: Schedule) -> [String] { schedule.losses(of: before).map(\.description) }
        func hash(_ lines: [String]) throws -> String { try sha256Prefix(lines.joined(separator: "\n")) }
        let all = [Self.a, Self.b, Self.c]
        #expect(losses(try Self.schedule(all, from: "2019-01-01")) == [])
        #expect(losses(try Self.schedule(all, to: "2022-01-01")) == [])
        #expect(losses(try Self.schedule([Self.newD] + all)) == [])
        let shorter = losses(try Self.schedule(all, to: "2020-06-30"))
        #expect(shorter.count == 192)
        #expect(try hash(shorter) == "d7df196ddfcf13ff")
        #expect(shorter.first == "2020-07-01" && shorter.last == "2021-03-01")
        let without = losses(try Self.schedule([Self.b, Self.c]))
        #expect(without.count == 145)
        #expect(try hash(without) == "626751684d7cb6fa")
        #expect(
            without.prefix(9).map { $0.suffix(5) } == [
                "11-11", "11-12", "11-15", "11-17", "11-19", "11-22", "11-24", "11-26", "11-29",
            ])
        let none = losses(try Self.schedule([]))
        #expect(none.count == 383)
        #expect(try hash(none) == "6765c83eeb418791")
        let chosen = Schedule.dates([try day("2020-01-01"), try day("2021-02-01"), try day("2022-03-01")])
        #expect(chosen.days.count == 3)
        #expect(losses(chosen).count == 383 - 2 + (before.contains(try day("2020-01-01")) ? 0 : 1))
    }

    @Test func `small overlaps`() throws {
        let x: Named = ("X", Self.set("Mon,Wed"))
        let y: Named = ("Y", Self.set("1,3,last"))
        func lines(_ sets: [Named]) throws -> [String] {
            Self.lines(sets, try Self.schedule(sets, from: "2021-02-22", to: "2021-03-07")).map {
                String($0.dropFirst(5))
            }
        }
        #expect(try lines([x, y]) == ["02-22 X", "02-24 X", "02-28 Y", "03-01 X", "03-03 X"])
        #expect(try lines([y, x]) == ["02-22 X", "02-24 X", "02-28 Y", "03-01 Y", "03-03 Y"])
        let weekly: Named = ("weekly", Self.set("Mon"))
        let last: Named = ("last", Self.set("Last Mon"))
        let march = Self.lines(
            [last, weekly], try Self.schedule([last, weekly], from: "2021-03-01", to: "2021-03-31"))
        #expect(
            march.map { String($0.dropFirst(8)) } == ["01 weekly", "08 weekly", "15 weekly", "22 weekly", "29 last"])
        for (pattern, count) in [("Fri", 1), ("Sat", 0)] {
            let one = try Self.schedule([("", Self.set(pattern))], from: "2021-01-01", to: "2021-01-01")
            #expect(one.days.count == count)
        }
    }

    @Test func `B alone, month by month, and the dates that C owns`() throws {
        let months = """
            19-11 04 06 18 20 25 27 · 19-12 02 04 16 18 25 30 · 20-01 01 06 15 20 27 29 · 20-02 03 05 17 19 24 26 · \
            20-03 02 04 16 18 25 30 · 20-04 01 06 15 20 27 29 · 20-05 04 06 18 20 25 27 · 20-06 01 03 15 17 24 29 · \
            20-07 01 06 15 20 27 29 · 20-08 03 05 17 19 26 31 · 20-09 02 07 16 21 28 30 · 20-10 05 07 19 21 26 28 · \
            20-11 02 04 16 18 25 30 · 20-12 02 07 16 21 28 30 · 21-01 04 06 18 20 25 27 · 21-02 01 03 15 17 22 24 · \
            21-03 01
            """
        #expect(try Self.schedule([Self.b]).days.map(\.description) == Self.dates(months))
        let owned = """
            19-11 02 07 09 30 · 19-12 05 07 · 20-01 02 04 08 09 · 20-02 01 06 08 29 · 20-03 05 07 · \
            20-04 02 04 08 09 30 · 20-05 02 07 09 · 20-06 04 06 10 · 20-07 02 04 08 09 · 20-08 01 06 08 · \
            20-09 03 05 09 10 · 20-10 01 03 08 10 31 · 20-11 05 07 · 20-12 03 05 09 10 31 · 21-01 02 07 09 · \
            21-02 04 06 10
            """
        let sets = [Self.a, Self.b, Self.c]
        let lines = Self.lines(sets, try Self.schedule(sets))
        #expect(lines.filter { $0.hasSuffix("dom") }.map { String($0.prefix(10)) } == Self.dates(owned))
        let wednesdays = try Self.schedule([Self.b]).days.filter { $0.weekday == .wednesday }.map(\.description)
        #expect(lines.filter { $0.hasSuffix("wom") }.map { String($0.prefix(10)) } == wednesdays)
    }

    /// The dates of months written `19-11 04 06 · …`.
    private static func dates(_ text: String) -> [String] {
        text.split(separator: "·").flatMap { part -> [String] in
            let words = part.split(whereSeparator: \.isWhitespace)
            return words.dropFirst().map { "20\(words[0])-\($0)" }
        }
    }
}

/// The first 16 hexadecimal digits of the SHA-256 of `text`.
private func sha256Prefix(_ text: String) throws -> String {
    try SHA256.hash(text.utf8).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
