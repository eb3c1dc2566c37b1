import CivilDate
import HubKitTesting
import HubRuntimeTesting
import MinteeDomain
import Storage
import TestSupport
import Testing

@testable import Mintee

/// Changes of several days at once, pauses, and the days that commands say they took.
struct RangeTests {
    private func days(_ first: String, _ last: String) throws -> ClosedRange<CivilDate> {
        try #require(CivilDate(first))...(try #require(CivilDate(last)))
    }

    @Test func `several days change as one operation`() async throws {
        let fixture = MinteeFixture()
        let task = try await fixture.make("Water", "Mon-Fri: 6 <= x <= 10")
        try await fixture.enter(task, "2026-11-10", .value(12))
        try await fixture.enter(task, "2026-11-11", .value(7))
        let before = try await fixture.snapshot()
        let week = try days("2026-11-09", "2026-11-15")
        let done = try await fixture.mintee.logCompletion(
            of: [task.id], in: week, .done, operation: fixture.operation("mintee done"))
        #expect(done[0].due == 5 && done[0].changed.map(\.day.components.day) == [9, 12, 13])
        #expect(done[0].kept.map(\.components.day) == [10], "what is over its target stays")
        let entries = try await fixture.mintee.entries(of: task.id)
        #expect(entries.map(\.entry.completion) == [6, 12, 7, 6, 6])
        #expect(try await fixture.mintee.tasksWithStaleYears() == [])
        let history = fixture.database.history
        let latest = try #require(try await history.operations(limit: 1).first)
        _ = try await history.undo(latest.id, as: fixture.operation("undo"))
        #expect(try await fixture.snapshot() == before)
    }

    @Test func `a pause keeps values, and is taken back as it was`() async throws {
        let fixture = MinteeFixture()
        let read = try await fixture.make("Read")
        let rent = try await fixture.make("Rent", dates: ["2026-11-12", "2026-12-01"])
        try await fixture.enter(read, "2026-11-10", .value(1))
        try await fixture.enter(read, "2026-11-11", .note("tired"))
        try await fixture.enter(read, "2026-11-12", .value(0))
        let before = try await fixture.mintee.entries(of: read.id)
        let week = try days("2026-11-09", "2026-11-13")
        let ids = [read.id, rent.id]
        let paused = try await fixture.mintee.logCompletion(
            of: ids, in: week, .skip("away"), operation: fixture.operation())
        #expect(paused.map(\.changed.count) == [4, 1] && paused[0].kept.map(\.components.day) == [10])
        let entries = try await fixture.mintee.entries(of: read.id)
        #expect(entries.map(\.entry.skipReason) == ["away", nil, "away", "away", "away"])
        #expect(entries[2].entry.note == "tired")
        _ = try await fixture.mintee.logCompletion(of: ids, in: week, .unskip, operation: fixture.operation())
        // An entered 0 is not told from nothing once the day was skipped.
        let after = try await fixture.mintee.entries(of: read.id)
        let expected = before.map(\.entry).filter { $0.completion == 1 || $0.note != nil }
        #expect(after.map(\.entry) == expected)
        #expect(try await fixture.store.read { try $0.instanceDays(of: rent.id) }.count == 2)
        #expect(try await fixture.mintee.entries(of: rent.id).isEmpty)
    }

    @Test func `notes and clearing of several days`() async throws {
        let fixture = MinteeFixture()
        let read = try await fixture.make("Read")
        let week = try days("2026-11-09", "2026-11-11")
        func log(_ change: EntryChange) async throws -> Int {
            try await fixture.mintee.logCompletion(
                of: [read.id], in: week, change, operation: fixture.operation())[0].changed.count
        }
        // There is nothing to remove.
        #expect(try await log(.note("")) == 0)
        #expect(try await log(.clear) == 0)
        #expect(try await log(.note("ill")) == 3)
        #expect(try await log(.note("ill")) == 0)
        #expect(try await log(.note("")) == 3)
        #expect(try await log(.clear) == 3)
        #expect(try await fixture.mintee.entries(of: read.id).isEmpty)
        let none = try await fixture.mintee.logCompletion(
            of: [read.id], in: try days("2026-01-01", "2026-01-03"), .done, operation: fixture.operation())
        #expect(none.isEmpty, "it begins in October")
    }

    @Test(arguments: [
        (0.0, 0.5, 0.5), (0.1, 0.2, 0.3), (2.5, -0.5, 2), (0.7, 0.1, 0.8), (2.5, 1, 3), (2.5, -1, 2), (2.5, 0, 2.5),
        (1e300, 0.5, 1e300), (-0.3, 0.1, -0.2),
    ])
    func `decimals are added as people add them`(value: Double, amount: Double, sum: Double) {
        #expect(Completion.add(amount, to: value) == sum)
    }

    @Test func `history tells days that were changed alike as one`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Gym --from 2026-11-01")
        await hub.run("mintee done gym --date 2026-11-02..2026-11-03")
        await hub.run("mintee pause gym 2026-11-20..2026-11-29")
        let history = await hub.run("mintee history gym --json=changes").output
        #expect(history.contains(#"["2026-11-20 to 2026-11-29 (10 days): 0, skipped"]"#), "\(history)")
        #expect(history.contains(#"["2026-11-02: 1","2026-11-03: 1"]"#))
    }

    @Test func `commands on several days say what they did`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        for line in ["mintee new Gym --from 2026-11-01", "mintee new Swim --from 2026-11-01", "mintee done gym"] {
            await hub.run(line)
        }
        let transcript: [(String, [String]?)] = [
            ("mintee skip gym swim --date mon..wed --why 'a cold'", nil), ("undo", nil),
            ("mintee pause --all today..2w", nil), ("mintee pause gym today", nil), ("mintee pause gym", nil),
            ("mintee pause today..2w", nil), ("mintee pause gym 2w..", nil),
            ("mintee unskip gym swim --date 2026-11-20..2026-12-04", nil),
            ("mintee clear gym --date 'last friday..today'", nil), ("mintee clear gym", nil),
            ("mintee done gym --date '2 days ago'", nil), ("mintee done gym --date 'nov 31'", nil),
            ("mintee done gym --date 2026-11-05..2026-11-02", nil), ("mintee up gym 0.5", nil),
            ("mintee up gym half", nil), ("mintee note gym swim", ["n"]), ("mintee note gym swim --no-input", nil),
            ("mintee note gym swim --yes", nil), ("mintee note gym slow --date -3d..-2d", nil),
            ("mintee new Med --from mon", nil), ("mintee new Trip --from 'dec 20' --to 'jan 3'", nil),
            ("mintee edit med --from today --to 1w", nil), ("mintee edit med --to open", nil),
            ("mintee edit med --to open --on daily", nil), ("mintee today yesterday", nil),
            ("mintee done gym swim --date mon..tue --json=name,date,value,streak", nil),
            ("mintee analyses new Y --tag health --legend under=AD0C00 --legend 'x >= 3=09B300'", nil),
        ]
        var shown = ""
        for (line, answers) in transcript {
            shown += "$ hub \(line)\n" + (await hub.shown(line, answers: answers))
        }
        Golden.expect(shown, is: "ranges.txt")
    }
}
