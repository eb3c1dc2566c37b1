import CivilDate
import HubKit
import HubRuntimeTesting
import MinteeDomain
import TestSupport
import Testing

@testable import Mintee

/// Tasks with targets over several days, by their commands, exports and history. Today is Friday, 20 November 2026.
struct PeriodTests {
    private func gym(_ hub: TestHub) async {
        await hub.run(#"mintee new Gym --on "3 times a week" --from 2026-11-02"#)
        for day in ["02", "04", "06", "10", "12", "15", "17"] { await hub.run("mintee done gym --date 2026-11-\(day)") }
    }

    @Test func `a habit of some days a week is free until its days are needed`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await gym(hub)
        await hub.run("mintee new Read --from 2026-11-02")
        let today = await hub.run("mintee today --plain=name,state,target,streak")
        #expect(
            today.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) } == [
                ["Read", "under", "x >= 1", "0"], ["Gym", "free", "1 of 3 this week, 3 days left", "2"],
            ])
        #expect(await hub.run("mintee today").output.contains("0 of 1 reached"))
        // On Saturday both days that are left are needed.
        let saturday = await hub.run("mintee today 2026-11-21 --json=name,state,period_state")
        #expect(
            saturday.output.contains(#"{"name":"Gym","state":"under","period_state":"open"}"#), "\(saturday.output)")
        let done = await hub.run("mintee done gym")
        #expect(done.output.hasPrefix("Gym: 1, 2 of 3 this week, 2 days left. 1 of 2 today"), "\(done.output)")
        await hub.run("mintee done gym --date 2026-11-16")
        let reached = await hub.run("mintee show gym --json=period,period_state,streak,streak_unit,reached,due")
        #expect(
            reached.output.contains(
                #""period":"3 of 3 this week","period_state":"reached","streak":3,"streak_unit":"week","reached":3,"due":3"#
            ),
            "\(reached.output)")
    }

    @Test func `the last weeks are shown one by one`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await gym(hub)
        await hub.run("mintee skip gym --date 2026-11-09..2026-11-15")
        let periods = await hub.run("mintee show gym --json=periods")
        #expect(
            periods.output.contains(
                #"{"from":"2026-11-02","to":"2026-11-08","amount":3,"needed":3,"limit":null,"state":"reached"}"#),
            "\(periods.output)")
        #expect(
            periods.output.contains(
                #"{"from":"2026-11-16","to":"2026-11-22","amount":1,"needed":3,"limit":null,"state":"open"}"#))
        #expect(await hub.run("mintee show gym").output.contains("  weeks    ■■□\n"))
    }

    @Test func `what is overdue over the last days is due in its place`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Water --on "every 3 days" --from 2026-11-02"#)
        await hub.run("mintee new Read --from 2026-11-02")
        await hub.run("mintee done water --date 2026-11-10")
        let today = await hub.run("mintee today --plain=name,state,target")
        #expect(
            today.output == "Water\tunder\t0 of 1 in the last 3 days, due\nRead\tunder\tx >= 1\n", "\(today.output)")
        #expect(await hub.run("mintee today").output.contains("0 of 2 reached"))
        await hub.run("mintee done water --date 2026-11-19")
        #expect(
            await hub.run("mintee today --plain=name,state").output == "Read\tunder\nWater\tfree\n")
    }

    @Test func `a pause is no missed week`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await gym(hub)
        for day in ["12", "15"] { await hub.run("mintee clear gym --date 2026-11-\(day)") }
        await hub.run("mintee pause gym 2026-11-11..2026-11-15")
        let shown = await hub.run("mintee show gym --json=periods,streak")
        #expect(
            shown.output.contains(
                #"{"from":"2026-11-09","to":"2026-11-15","amount":1,"needed":2,"limit":null,"state":"none"}"#),
            "\(shown.output)")
        #expect(shown.output.contains(#""streak":1"#))
    }

    @Test func `edit changes the target, and undo brings it back`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Gym --on Mon,Wed,Fri --from 2026-11-02")
        for day in ["02", "04", "06"] { await hub.run("mintee done gym --date 2026-11-\(day)") }
        // No filled day is lost, since a period target widens the pattern.
        let edited = await hub.run(#"mintee edit gym --on "twice a week""#)
        #expect(edited.exit == 0 && edited.output.contains("twice a week"), "\(edited.all)")
        #expect(await hub.run("mintee list --plain=sets").output.contains("daily"))
        await hub.run("undo")
        #expect(await hub.run("mintee show gym --json=period").output.contains("null"))
        await hub.run("redo")
        #expect(await hub.run("mintee show gym").output.contains("twice a week"))
        #expect(await hub.run("mintee diff gym --since 1w").output.contains("twice a week"))
        await hub.run("mintee edit gym --dates 2026-11-02,2026-11-04,2026-11-06")
        let check = await hub.run("mintee check")
        #expect(check.all.contains("All \(Rule.all.count) rules hold"), "\(check.all)")
        let two = await hub.run(#"mintee new Two --on "3 times a week" --on "at most 12 a month""#)
        #expect(two.exit == 64 && two.all.contains("one target over several days"))
    }

    @Test func `exports bring it back`() async throws {
        for words in [
            "3 times a week", "Mon-Fri, at most 2 times a week", "daily: x >= 20, 150 a month", "2/9",
            "at most 12 in 14 days",
        ] {
            let hub = try TestHub(MinteePlugin.self)
            await hub.run("mintee new Gym --on \"\(words)\" --from 2026-11-02")
            await hub.run("mintee set gym 3 --date 2026-11-04")
            let days = await hub.run("mintee diff gym --since 2y --plain").output
            let json = await hub.run("mintee export --format json").output
            let calendar = await hub.run("mintee export --format ics").output
            for (format, text) in [("json", json), ("ics", calendar)] {
                let other = try TestHub(MinteePlugin.self)
                let folder = try TemporaryFolder()
                try folder.write(text, to: "tasks.\(format)")
                let imported = await other.run("mintee import \(folder.path)/tasks.\(format)")
                #expect(imported.exit == 0, "\(format): \(imported.all)")
                #expect(await other.run("mintee export --format json").output == json, "\(words) as \(format)")
                #expect(await other.run("mintee diff gym --since 2y --plain").output == days)
            }
        }
    }

    @Test func `reminders leave a free day alone, unless they have a time`() async throws {
        let fixture = MinteeFixture()
        let days = try DueDays("3 times a week")
        func make(_ name: String, remindAt: Int?) async throws {
            let start = try #require(CivilDate("2026-11-02"))
            _ = try await fixture.mintee.createTask(
                TaskDraft(
                    name: name, schedule: .recurring(from: start, to: start.adding(days: 365), days.sets),
                    period: days.period, remindAt: remindAt), operation: fixture.operation())
        }
        try await make("Gym", remindAt: nil)
        try await make("Swim", remindAt: 0)
        for item in try await fixture.mintee.dueTasks(on: fixture.today) {
            // Nothing is done on Friday, so all three days are needed.
            #expect(item.state == DayState(.under, isEntered: false))
        }
        for item in try await fixture.mintee.dueTasks(on: fixture.today.adding(days: 3)) { #expect(item.isFree) }
    }

    @Test func `a form has the target as text`() throws {
        let mintee = MinteeFixture().mintee
        var draft = TaskDraft.daily("Gym", today: try #require(CivilDate("2026-11-20")))
        draft.period = try DueDays("3 times a week").period
        guard case .object(var members) = try mintee.form(of: draft) else { throw RuleWorld.Held() }
        #expect(try mintee.draft(from: .object(members)).period == draft.period)
        func read(_ text: String) throws -> TaskDraft {
            members.removeAll { $0.name == "period" }
            members.append(JSONValue.Member(name: "period", value: .string(text)))
            return try mintee.draft(from: .object(members))
        }
        #expect(try read("at most 12 a month").period?.description == "at most 12 a month")
        #expect(try read(" ").period == nil)
        for (text, code) in [("Mon, 3 times a week", nil), ("often", nil), ("8 times a week", "PT-9")]
            as [(String, String?)]
        {
            let error = #expect(throws: HubError.self) { try read(text) }
            #expect(
                error?.problems.first?.field == "period" && (code == nil || error?.problems.first?.code == code),
                "\(text)")
        }
    }

    @Test func `0 is no missed day of a limit or a sum`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Wine --on "at most 6 a week" --from 2026-11-02"#)
        await hub.run(#"mintee new Words --on "150 a week" --from 2026-11-02"#)
        await hub.run("mintee set wine 0")
        await hub.run(#"mintee note wine "dry""#)
        await hub.run("mintee set words 0")
        let today = await hub.run("mintee today --json=name,state,note,period_state")
        #expect(
            today.output.contains(#"{"name":"Wine","state":"free","note":"dry","period_state":"reached"}"#),
            "\(today.output)")
        #expect(today.output.contains(#"{"name":"Words","state":"free","note":null,"period_state":"open"}"#))
        #expect(await hub.run("mintee today").output.contains("0 of 0 reached"))
        // On the last day of the week a sum is needed whatever it is.
        #expect(await hub.run("mintee today 2026-11-22 --plain=name,state").output.contains("Words\tunder"))
    }

    @Test func `what is entered ahead does not count for the streak yet`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Read --from 2026-11-02")
        await hub.run("mintee done read --date 2026-11-18..2026-11-20")
        let ahead = await hub.run("mintee done read --date tomorrow")
        #expect(ahead.output.contains("streak 3."), "\(ahead.output)")
        #expect(await hub.run("mintee show read --json=streak").output.contains(#""streak":3"#))
    }
}
