import CivilDate
import MinteeDomain
import Sync
import Testing

/// The merge of one day with its to-do.
@Suite struct DayMergeTests {
    private static let date = CivilDate(daysSinceEpoch: 20_777)
    private static let place = RemoteEntry(href: "/c/a.ics", etag: "\"2\"")
    private static let noon: Int64 = 1_795_176_000_000

    private func day(
        _ entry: Entry?, at moment: Int64 = 0, target: Target? = .atLeast(20), link: TodoLink? = nil
    ) -> SyncDay {
        SyncDay(
            todo: DayTodo(
                taskID: "2gd", date: Self.date, name: "Review", tags: ["work"], target: target, entry: entry,
                changedAt: moment > 0 ? moment : Self.noon - 7_200_000),
            enteredAt: moment, link: link)
    }

    /// The link of a day whose to-do says what we said.
    private func link(_ day: SyncDay) throws -> TodoLink {
        let merge = try look(day, day.todo.text)
        #expect(!merge.isTaken && !merge.isSent)
        return merge.link
    }

    private func look(_ day: SyncDay, _ text: [UInt8], isEcho: Bool = false) throws -> DayMerge {
        let theirs = try #require(try IncomingTodo.read(text))
        return DayMerge(
            day, theirs, at: Self.place, isEcho: isEcho, isSame: { (try? $0.applied(to: text)) == text })
    }

    /// `text` with the properties that a program puts into it when the person ticks the to-do, or takes the tick back.
    private func edited(
        _ text: [UInt8], _ changes: [String: String?], at moment: String = "20261120T110000Z"
    ) -> [UInt8] {
        var lines = String(decoding: text, as: UTF8.self).split(separator: "\r\n").map(String.init)
        for (name, value) in changes.merging(["LAST-MODIFIED": moment, "DTSTAMP": moment], uniquingKeysWith: { $1 }) {
            lines.removeAll { $0.hasPrefix(name + ":") }
            guard let value, let end = lines.firstIndex(of: "END:VTODO") else { continue }
            lines.insert("\(name):\(value)", at: end)
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static let tick: [String: String?] = [
        "STATUS": "COMPLETED", "PERCENT-COMPLETE": "100", "COMPLETED": "20261120T110000Z",
    ]
    private static let untick: [String: String?] = [
        "STATUS": "NEEDS-ACTION", "PERCENT-COMPLETE": nil, "COMPLETED": nil,
    ]

    @Test func `what is equal stays, and is not written again`() throws {
        for entry in [nil, Entry(completion: 20), Entry(completion: 3, note: "slow"), Entry(skipReason: "ill")] {
            let known = day(entry, link: try link(day(entry)))
            let again = try look(known, known.todo.text)
            #expect(again.entry == entry && !again.isTaken && !again.isSent && again.link == known.link)
            #expect(!known.isWaiting)
        }
    }

    @Test func `a tick there is the smallest value that reaches the target, and is answered with the number`() throws {
        let ours = day(nil)
        let known = day(nil, link: try link(ours))
        let merge = try look(known, edited(ours.todo.text, Self.tick))
        #expect(merge.isTaken && merge.entry == Entry(completion: 20) && merge.isSent)
        var after = known
        (after.todo.entry, after.link) = (merge.entry, merge.link)
        #expect(after.isWaiting, "until the number is there")
    }

    @Test func `a value that reaches the target already is kept by a tick`() throws {
        let ours = day(Entry(completion: 25))
        let text = edited(ours.todo.text, Self.untick)
        let unticked = try look(day(Entry(completion: 25), link: try link(ours)), text)
        #expect(unticked.isTaken && unticked.entry == nil)
        let ticked = try look(day(nil, link: unticked.link), edited(text, Self.tick))
        #expect(ticked.entry == Entry(completion: 25))
    }

    private static let dropped: [String: String?] = [
        "X-MINTEE-COMPLETION": nil, "X-MINTEE-TARGET": nil, "X-MINTEE-SKIP": nil,
    ]

    /// The merge of a day with this entry whose to-do a program without custom properties has rewritten.
    private func rewritten(
        _ entry: Entry?, _ target: String, _ changes: [String: String?], at moment: String = "20261120T110000Z"
    ) throws -> DayMerge {
        let ours = day(entry, target: try Target(target))
        let text = edited(ours.todo.text, Self.dropped.merging(changes) { $1 }, at: moment)
        return try look(day(entry, target: try Target(target), link: try link(ours)), text)
    }

    @Test(
        arguments: [
            ("x >= 20", 35), ("x >= 50", 61.5), ("6 <= x <= 10", 8), ("6 <= x <= 10", 12), ("6 <= x <= 10", 4),
            ("x <= 3", 2), ("x <= 3", 5), ("x <= 3", 0), ("x >= 20", 7),
        ])
    func `a value survives a program that drops custom properties`(target: String, value: Double) throws {
        let entry = Entry(completion: value)
        for percent in [[:], ["PERCENT-COMPLETE": nil]] as [[String: String?]] {
            let noted = try rewritten(entry, target, percent.merging(["DESCRIPTION": "went well"]) { $1 })
            #expect(noted.entry == Entry(completion: value, note: "went well") && noted.clashes.isEmpty)
            #expect(noted.isSent, "the number goes back")
        }
        #expect(try rewritten(entry, target, [:]).entry == entry)
        let cancelled = try rewritten(entry, target, ["STATUS": "CANCELLED", "COMPLETED": nil])
        #expect(cancelled.entry == Entry(completion: value, skipReason: ""))
        let ticked = try rewritten(entry, target, Self.tick)
        let isUnder = Entry.category(of: value, try Target(target)) == .under
        #expect(ticked.entry?.completion == (isUnder ? Completion.reaching(try Target(target)) : value))
        // Another change there, before the number is back.
        let ours = day(entry, target: try Target(target))
        let text = edited(ours.todo.text, Self.dropped.merging(["DESCRIPTION": "a"]) { $1 })
        let first = try look(day(entry, target: ours.todo.target, link: try link(ours)), text)
        let again = try look(
            day(first.entry, target: ours.todo.target, link: first.link),
            edited(text, ["DESCRIPTION": "b"], at: "20261120T120000Z"))
        #expect(again.entry == Entry(completion: value, note: "b"))
    }

    @Test func `a program without percentages and custom properties leaves a value as it is`() throws {
        let under = try rewritten(Entry(completion: 7), "x >= 20", ["STATUS": "NEEDS-ACTION", "PERCENT-COMPLETE": nil])
        #expect(under.entry == Entry(completion: 7) && !under.isTaken)
        let unticked = try rewritten(Entry(completion: 35), "x >= 20", Self.untick)
        #expect(unticked.entry == nil && unticked.isTaken)
        let skipped = try rewritten(Entry(completion: 4, skipReason: "ill"), "x >= 20", ["DESCRIPTION": "bed"])
        #expect(skipped.entry == Entry(completion: 4, skipReason: "ill", note: "bed"))
        let half = try rewritten(Entry(completion: 7), "x >= 20", ["PERCENT-COMPLETE": "50"])
        #expect(half.entry == Entry(completion: 10))
    }

    @Test func `a value that was changed here meanwhile stays when a note comes without the number`() throws {
        let before = day(Entry(completion: 35))
        let known = day(Entry(completion: 40), at: Self.noon, link: try link(before))
        let text = edited(before.todo.text, Self.dropped.merging(["DESCRIPTION": "tea"]) { $1 })
        let merge = try look(known, text)
        #expect(merge.entry == Entry(completion: 40, note: "tea") && merge.clashes.isEmpty)
        let cleared = try look(day(nil, at: Self.noon, link: try link(before)), text)
        #expect(cleared.entry == Entry(note: "tea"))
    }

    @Test func `a number that somebody wrote is taken exactly, whatever the state says`() throws {
        let ours = day(Entry(completion: 3))
        let merge = try look(
            day(Entry(completion: 3), link: try link(ours)), edited(ours.todo.text, ["X-MINTEE-COMPLETION": "4.25"]))
        #expect(merge.isTaken && merge.entry == Entry(completion: 4.25) && merge.isSent)
    }

    @Test func `a tick on a day where nothing is enough stays a tick`() throws {
        let ours = day(nil, target: .atMost(3))
        #expect(ours.todo.progress.status == .needsAction)
        let merge = try look(
            day(nil, target: .atMost(3), link: try link(ours)), edited(ours.todo.text, Self.tick))
        #expect(merge.entry == Entry(completion: 0) && merge.isTaken)
        var after = ours
        after.todo.entry = merge.entry
        #expect(after.todo.progress.status == .completed)
    }

    @Test(
        arguments: [
            // Our time, theirs, and whether theirs counts.
            (1_795_176_000_000, "20261120T110000Z", false), (1_795_176_000_000, "20261120T130000Z", true),
            (0, "20261120T110000Z", true), (1_795_176_000_000, "20261120T120000Z", true),
        ] as [(Int64, String, Bool)])
    func `when both changed the later one counts`(ours: Int64, theirs: String, isTheirs: Bool) throws {
        let before = day(nil)
        let known = day(Entry(completion: 7), at: ours, link: try link(before))
        let merge = try look(known, edited(before.todo.text, Self.tick, at: theirs))
        #expect(merge.isTaken == isTheirs && merge.entry == Entry(completion: isTheirs ? 20 : 7))
        #expect(merge.isSent)
        if !isTheirs {
            // It was not delivered yet: after a crash it is still a change of ours.
            #expect(merge.link.ours == nil && merge.link.sent == 0)
            var again = known
            again.link = merge.link
            let second = try look(again, edited(before.todo.text, Self.tick, at: theirs))
            #expect(second.entry == Entry(completion: 7) && second.isSent && !second.isTaken)
        }
    }

    /// A value entered here and a note written there, within the same seconds: both are kept, and nothing gave way.
    @Test(arguments: ["20261120T110000Z", "20261120T130000Z"])
    func `a value of ours and a note of theirs are both kept`(moment: String) throws {
        let before = day(nil)
        let known = day(Entry(completion: 7), at: Self.noon, link: try link(before))
        let text = edited(before.todo.text, ["DESCRIPTION": "tea"], at: moment)
        let merge = try look(known, text)
        #expect(merge.entry == Entry(completion: 7, note: "tea") && merge.isTaken && merge.isSent)
        #expect(merge.clashes.isEmpty)
        // The value was not delivered yet: when the answer is lost it is still a change of ours.
        var again = day(merge.entry, at: Self.noon, link: merge.link)
        #expect(again.isWaiting)
        let second = try look(again, edited(text, ["DESCRIPTION": "green tea"], at: "20261120T140000Z"))
        #expect(second.entry == Entry(completion: 7, note: "green tea") && second.isSent)
        again.todo.entry = second.entry
        let third = try look(again, again.todo.text)
        #expect(third.entry == second.entry && !third.isTaken && !third.isSent)
    }

    @Test func `what gave way is told`() throws {
        let before = day(nil)
        let known = day(Entry(completion: 7, note: "coffee"), at: Self.noon, link: try link(before))
        let ticked = Self.tick.merging(["DESCRIPTION": "tea"]) { $1 }
        let theirs = try look(known, edited(before.todo.text, ticked, at: "20261120T130000Z"))
        #expect(theirs.entry == Entry(completion: 20, note: "tea"))
        #expect(
            theirs.clashes == [
                "value 7 here was replaced by 20 from the calendar",
                "note \"coffee\" here was replaced by \"tea\" from the calendar",
            ])
        let ours = try look(known, edited(before.todo.text, ticked, at: "20261120T110000Z"))
        #expect(ours.entry == Entry(completion: 7, note: "coffee") && ours.isSent)
        #expect(
            ours.clashes == [
                "value 20 from the calendar was replaced by 7 here",
                "note \"tea\" from the calendar was replaced by \"coffee\" here",
            ])
    }

    @Test func `a day skipped there and filled here goes by the later side, and the value stays`() throws {
        let before = day(nil)
        let known = day(Entry(completion: 7), at: Self.noon, link: try link(before))
        let skipped = edited(before.todo.text, ["STATUS": "CANCELLED"], at: "20261120T130000Z")
        #expect(try look(known, skipped).entry == Entry(completion: 7, skipReason: ""))
        let earlier = try look(known, edited(before.todo.text, ["STATUS": "CANCELLED"], at: "20261120T110000Z"))
        #expect(earlier.entry == Entry(completion: 7) && earlier.clashes.count == 1)
    }

    @Test func `a note that is emptied there is gone here`() throws {
        let ours = day(Entry(completion: 3, note: "slow"))
        var known = day(Entry(completion: 3, note: "slow"), link: try link(ours))
        let merge = try look(known, edited(ours.todo.text, ["DESCRIPTION": nil]))
        #expect(merge.isTaken && merge.entry == Entry(completion: 3))
        // A keeper that has never shown it drops it, and it stays here.
        known.link?.theirs?.note = nil
        #expect(try look(known, edited(ours.todo.text, ["DESCRIPTION": nil])).entry == ours.todo.entry)
    }

    @Test func `a tick does not replace a value over the target`() throws {
        let ours = day(Entry(completion: 5), target: .atMost(3))
        let merge = try look(
            day(Entry(completion: 5), target: .atMost(3), link: try link(ours)), edited(ours.todo.text, Self.tick))
        #expect(merge.entry == Entry(completion: 5) && merge.isSent, "the tick is taken back")
    }

    /// To-dos that an older hub wrote have no `DUE`: they are written once more, and nothing here changes.
    @Test func `a to-do without a due date gets one, and that is no change of a person`() throws {
        for entry in [nil, Entry(completion: 20), Entry(completion: 3, note: "slow"), Entry(skipReason: "ill")] {
            let ours = day(entry)
            var known = day(entry, link: try link(ours))
            known.link?.sent = 1
            let old = String(decoding: ours.todo.text, as: UTF8.self)
                .replacing("DUE;VALUE=DATE:20261120\r\n", with: "")
            #expect(known.isWaiting && !old.contains("DUE"))
            let merge = try look(known, Array(old.utf8))
            #expect(!merge.isTaken && merge.isSent && merge.clashes.isEmpty && merge.entry == entry)
            let sent = try known.todo.applied(to: Array(old.utf8))
            #expect(String(decoding: sent, as: UTF8.self).contains("DUE;VALUE=DATE:20261120\r\n"))
            #expect(try known.todo.applied(to: sent) == sent)
        }
    }

    @Test func `both saying the same is no clash`() throws {
        let before = day(nil)
        let merge = try look(
            day(Entry(completion: 20), at: Self.noon + 9_000_000, link: try link(before)),
            edited(before.todo.text, Self.tick))
        #expect(!merge.isTaken && merge.entry == Entry(completion: 20))
    }

    @Test func `a server that was set back by days is no news`() throws {
        let before = day(Entry(completion: 20), at: Self.noon)
        let known = day(Entry(completion: 20), at: Self.noon, link: try link(before))
        let old = edited(before.todo.text, Self.untick, at: "20261115T110000Z")
        let merge = try look(known, old)
        #expect(!merge.isTaken && merge.isSent && merge.entry == Entry(completion: 20))
        // A clock that is wrong by hours is none.
        #expect(try look(known, edited(before.todo.text, Self.untick, at: "20261120T030000Z")).isTaken)
    }

    @Test func `what another hub wrote before is no news, also when it is minutes older`() throws {
        let before = day(Entry(completion: 20), at: Self.noon)
        let known = day(Entry(completion: 20), at: Self.noon, link: try link(before))
        // The server lost all, and a hub that had not heard of the value filled it again.
        var other = day(nil)
        other.todo.changedAt = Self.noon - 60_000
        let merge = try look(known, other.todo.text)
        #expect(!merge.isTaken && merge.isSent && merge.entry == Entry(completion: 20))
        other.todo.changedAt = Self.noon + 60_000
        #expect(try look(known, other.todo.text).isTaken)
    }

    @Test func `name, tags and date follow hub; what others keep there stays`() throws {
        let before = day(nil)
        let changed = edited(
            before.todo.text, ["SUMMARY": "Renamed", "CATEGORIES": "fun", "X-APPLE-SORT-ORDER": "7"])
        let known = day(nil, link: try link(before))
        let merge = try look(known, changed)
        #expect(!merge.isTaken && merge.isSent)
        let answer = String(decoding: try known.todo.applied(to: changed), as: UTF8.self)
        #expect(answer.contains("SUMMARY:Review\r\n") && answer.contains("X-APPLE-SORT-ORDER:7\r\n"))
    }

    @Test func `a note goes both ways`() throws {
        let before = day(nil)
        let merge = try look(
            day(nil, link: try link(before)), edited(before.todo.text, ["DESCRIPTION": "in the rain"]))
        #expect(merge.isTaken && merge.entry == Entry(note: "in the rain"))
    }

    @Test func `a keeper that drops what it does not know is let be`() throws {
        let sent = day(Entry(completion: 25))
        let echo = TodoLink(
            sent.day, href: Self.place.href, ours: sent.todo.entry, theirs: sent.todo.entry, number: 25,
            changedAt: sent.todo.changedAt, sent: sent.todo.fingerprint)
        var answered = sent
        answered.link = echo
        let poor = edited(sent.todo.text, ["X-MINTEE-COMPLETION": nil, "X-MINTEE-TARGET": nil])
        let merge = try look(answered, poor, isEcho: true)
        #expect(!merge.isTaken && !merge.isSent && merge.entry == Entry(completion: 25))
        var known = sent
        known.link = merge.link
        #expect(!known.isWaiting)
        let again = try look(known, poor)
        #expect(!again.isSent && !again.isTaken, "it does not go on for ever")
        let unticked = try look(known, edited(poor, Self.untick))
        #expect(unticked.isTaken && unticked.entry == nil)
    }

    @Test func `what we sent is known again though the answer was lost and the number dropped`() throws {
        for (value, target) in [(23, Target.atMost(3)), (25, .atLeast(20)), (7, .atLeast(20))] {
            let before = day(nil, target: target)
            let known = try link(before)
            let now = day(Entry(completion: Double(value)), at: Self.noon, target: target, link: known)
            let poor = edited(
                now.todo.text, ["X-MINTEE-COMPLETION": nil, "X-MINTEE-TARGET": nil], at: "20261120T120000Z")
            let merge = try look(now, poor)
            #expect(!merge.isTaken && merge.entry == now.todo.entry)
        }
    }

    @Test func `a tick on what we sent counts, though the answer to sending was lost`() throws {
        let before = day(nil)
        let sent = day(Entry(completion: 20), at: Self.noon, link: try link(before))
        let unticked = try look(sent, edited(sent.todo.text, Self.untick, at: "20261120T130000Z"))
        #expect(unticked.isTaken && unticked.entry == nil)
        let filled = day(Entry(completion: 20), at: Self.noon)
        var cleared = day(nil, link: try link(filled))
        cleared.todo.changedAt = Self.noon
        let ticked = try look(cleared, edited(cleared.todo.text, Self.tick, at: "20261120T130000Z"))
        #expect(ticked.isTaken && ticked.entry == Entry(completion: 20))
    }

    @Test func `a tick does not replace a value over the target where the number is dropped`() throws {
        let sent = day(Entry(completion: 5), target: .atMost(3))
        var answered = sent
        answered.link = TodoLink(
            sent.day, href: Self.place.href, ours: sent.todo.entry, theirs: sent.todo.entry,
            state: sent.todo.progress.status.rawValue, number: 5, changedAt: sent.todo.changedAt,
            sent: sent.todo.fingerprint)
        let poor = edited(sent.todo.text, ["X-MINTEE-COMPLETION": nil, "X-MINTEE-TARGET": nil])
        var known = sent
        known.link = try look(answered, poor, isEcho: true).link
        let merge = try look(known, edited(poor, Self.tick))
        #expect(!merge.isTaken && merge.entry == Entry(completion: 5) && merge.isSent)
    }

    @Test func `a tick between sending and looking again is not lost`() throws {
        let sent = day(nil)
        let echo = TodoLink(
            sent.day, href: Self.place.href, changedAt: sent.todo.changedAt, sent: sent.todo.fingerprint)
        let merge = try look(day(nil, link: echo), edited(sent.todo.text, Self.tick), isEcho: true)
        #expect(merge.isTaken && merge.entry == Entry(completion: 20) && !merge.isSent)
        var after = sent
        (after.todo.entry, after.link) = (merge.entry, merge.link)
        #expect(after.isWaiting)
    }

    @Test func `a to-do that is met for the first time brings what it says`() throws {
        let merge = try look(day(nil), day(Entry(completion: 20)).todo.text)
        #expect(merge.isTaken && merge.entry == Entry(completion: 20) && !merge.isSent)
        let ours = try look(day(Entry(completion: 20), at: Self.noon), day(nil).todo.text)
        #expect(!ours.isTaken && ours.isSent)
    }
}
