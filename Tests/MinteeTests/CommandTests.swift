import CivilDate
import FoundationEssentials
import HubKitTesting
import HubRuntimeTesting
import Synchronization
import TestSupport
import Testing
import Text

@testable import Mintee

/// Commands with their output.
struct CommandTests {
    @Test func `the commands are declared well`() {
        #expect(CommandValidator.problems(in: TestHub.root([MinteePlugin.self])).filter { $0.contains("mintee") } == [])
    }

    @Test func `undo and history count tasks and analyses each by their noun`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Run --tag health")
        await hub.run("mintee analyses new Health --tag health")
        #expect(await hub.run("undo --dry-run").all.hasSuffix("\n  1 analysis\n"))
        await hub.run("undo")
        // What does not exist any more is known by its history.
        #expect(await hub.run("redo --dry-run").all.hasSuffix("\n  1 analysis\n"))
        await hub.run("undo")
        #expect(await hub.run("redo --dry-run").all.hasSuffix("\n  1 task\n"))
    }

    @Test(arguments: [
        "mintee set water 3", "mintee note water cold", "mintee up water 0", "mintee down water 0", "mintee skip run",
        "mintee analyses order Health", "mintee analyses edit Health --tag health", "mintee theme Ocean",
    ])
    func `a command that changes nothing offers nothing to undo`(line: String) async throws {
        let hub = try TestHub(MinteePlugin.self)
        for first in [
            "mintee new Run --tag health", "mintee new Water --on 'daily: x >= 1'",
            "mintee analyses new Health --tag health", line,
        ] {
            await hub.run(first)
        }
        let history = await hub.run("history --plain=id").output
        let again = await hub.run(line)
        #expect(again.exit == 0 && again.output.lowercased().contains("nothing changed"), "\(again.all)")
        #expect(await hub.run("history --plain=id").output == history)
    }

    /// Moment 10 of the manual.
    @Test func `today's habits`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        func enter(_ task: String, _ values: [(String, String)]) async {
            for (date, value) in values { await hub.run("mintee set \(task) \(value) --date \(date)") }
        }
        await hub.run("mintee new Meditate --from 2026-11-09")
        await hub.run(#"mintee new Coffee --on "daily: x <= 3" --from 2026-11-14"#)
        await hub.run(#"mintee new Water --on "daily: 6 <= x <= 10" --from 2026-11-14"#)
        await hub.run(#"mintee new Review --on "3rd Fri: x >= 20" --from 2026-06-01"#)
        await enter("meditate", (9...20).map { ("2026-11-\($0 < 10 ? "0" : "")\($0)", "1") })
        await enter("coffee", [("2026-11-16", "4"), ("2026-11-20", "2")])
        await enter(
            "water", [14, 15, 16, 18, 19].map { ("2026-11-\($0)", "7") } + [("2026-11-17", "5"), ("2026-11-20", "4")])
        await enter("review", ["06-19", "07-17", "08-21", "09-18", "10-16"].map { ("2026-\($0)", "20") })
        let today = await hub.shown("mintee")
        #expect(
            today == """
                Friday, 20 November 2026: 2 of 4 reached
                ID   TASK      VALUE  TARGET        STATE    STREAK  LAST 7 DAYS
                xxx  Meditate      1  x >= 1        reached      12  ■■■■■■■
                xxx  Coffee        2  x <= 3        reached       4  ■■▲■■■■
                xxx  Water         4  6 <= x <= 10  under         2  ■■■▼■■□
                xxx  Review        0  x >= 20       under         5  ······□  3rd Fri

                """)
        let done = await hub.shown("mintee done review")
        #expect(
            done == "Review: 20 (x >= 20), reached, streak 6. 3 of 4 today. Undo: hub undo\n")
        let undone = await hub.shown("undo")
        #expect(undone.hasPrefix("Undone xxx, "))
        let json = await hub.run("mintee today --json=name,value,state,week")
        #expect(json.output.contains(#"{"name":"Water","value":4,"state":"under","week":["reached","reached","#))
    }

    /// Moment 11 of the manual.
    @Test func `an analysis in the terminal`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Water --on "daily: 6 <= x <= 10" --tag health --from 2026-10-01"#)
        await hub.run(#"mintee new Run --on "Mon,Wed,Sat: x >= 1" --tag health --from 2026-10-01"#)
        let first = try #require(CivilDate(year: 2026, month: 10, day: 24))
        // The days of Water from 24 October to 20 November.
        let values = [7, 8, 6, 8, 7, 5, 8, 7, 12, 7, 6, 8, 3, 7, 8, 6, 11, 7, 8, 6, 7, 8, 7, 6, 5, 7, 8, 7]
        for (offset, value) in values.enumerated() {
            let date = CivilDate(daysSinceEpoch: first.daysSinceEpoch + offset)
            await hub.run("mintee set water \(value) --date \(date)")
            if [.monday, .wednesday, .saturday].contains(date.weekday), offset != 11 {
                await hub.run("mintee done run --date \(date)")
            }
        }
        let new = await hub.shown("mintee analyses new Health --tag HEALTH")
        #expect(new == "Health (xxx) is new: box, last 28 days, health. Undo: hub undo\n")
        var shown = ""
        for line in [
            "mintee analyses show Health", "mintee analyses show Water --type line",
            "mintee analyses show health --type line",
            "mintee analyses show Run --days 14", "mintee analyses edit Health --days 7 --legend under=000000",
            "mintee analyses show Health --json=date,reached,value", "mintee analyses order Health", "mintee analyses",
            "mintee analyses new Health --tag health", "mintee analyses new Other --tag none",
            "mintee analyses new Other --tag health --days 0", "mintee analyses rm Health --yes", "mintee analyses",
            "mintee theme", "mintee theme ocean", "mintee theme pink",
        ] {
            shown += "$ hub \(line)\n" + (await hub.shown(line))
        }
        Golden.expect(shown, is: "analyses.txt")
        let svg = await hub.run("mintee analyses show Water --type line --svg -")
        #expect(svg.output.hasPrefix("<svg ") && svg.output.hasSuffix("</svg>\n"))
        let file = await hub.run("mintee analyses show Water --svg \(hub.home)/water.svg")
        #expect(file.exit == 0 && Golden.read(hub.home + "/water.svg").hasPrefix("<svg "))
        // It never replaces a file of hub itself, or one of another kind.
        let kept = "\(hub.home)/notes.txt"
        try Data("my notes\n".utf8).write(to: URL(filePath: kept))
        for path in ["\(hub.home)/.local/share/hub/hub.db", kept] {
            let refused = await hub.run("mintee analyses show Water --svg \(path)")
            #expect(refused.exit == 64, "\(path): \(refused.messages)")
        }
        #expect(Golden.read(kept) == "my notes\n")
    }

    @Test func `all views have the day of the plugin, which may begin after midnight`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        _ = await hub.run("mintee new Read --from 2026-11-01")
        let calendarDay = hub.clock.today
        let night = calendarDay.adding(days: -1)
        #expect(await hub.run("config set plugins.mintee.day_starts 23:59").exit == 0)
        let before = await hub.run("today")
        #expect(before.output.contains("Read") && before.output.contains("(\(night))"), "\(before.all)")
        #expect(await hub.run("mintee done read").exit == 0)
        #expect(!(await hub.run("today").output.contains("Read")), "it is done, as in `hub mintee`")
        #expect(await hub.run("today tomorrow").output.contains("(\(calendarDay))"))
        #expect(await hub.run("today \(calendarDay)").output.contains("Read"))
    }

    @Test func `a life with tasks`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        let transcript = [
            ("mintee", nil), (#"mintee new Run --on "Mon,Wed,Fri: x >= 5" --tag health --remind 18:30"#, nil),
            ("mintee new Read a book --tag evening", nil), ("mintee new Pay rent --dates 2026-12-01,2027-01-01", nil),
            ("mintee list", nil), ("mintee", nil), ("mintee up run 3", nil), ("mintee skip read a cold", nil),
            ("mintee skip read --why 'a cold'", nil),
            ("mintee note run in the rain", nil), ("mintee today yesterday", nil), ("mintee search rain", nil),
            ("mintee tags", nil), ("mintee untag run health", nil), ("mintee ask", ["5"]), ("mintee check", nil),
            ("mintee rm rent", ["y"]), ("mintee rm run", ["n"]), ("mintee list --trash", nil),
            ("mintee restore rent", nil), ("mintee done pay", nil), ("mintee set run five", nil),
            (#"mintee new Swim --on "Mon,Wde""#, nil), (#"mintee new Swim --on "daily: 5 < x < 3""#, nil),
            ("mintee new Run", nil), ("mintee show run", nil), ("mintee history run", nil), ("today", nil),
        ]
        var shown = ""
        for (line, answers) in transcript as [(String, [String]?)] {
            shown += "$ hub \(line)\n" + (await hub.shown(line, answers: answers))
        }
        Golden.expect(shown, is: "tasks.txt")
    }

    /// Charts, grids and what stands beside them, in narrow and wide terminals.
    @Test(arguments: [40, 60, 80, 140])
    func `no drawing is wider than the terminal`(width: Int) async throws {
        let hub = try TestHub(MinteePlugin.self)
        for line in [
            #"mintee new Water --on "daily: 6 <= x <= 10" --from 2025-01-01 --tag health --tag morning --tag evening"#,
            "mintee new Run --on Mon,Wed,Fri --from 2025-01-01 --tag health --notes 'slowly, in the park, with a break at the lake'",
            "mintee new 'A task whose name alone is longer than a narrow terminal' --dates 2026-11-02,2026-11-03,2026-11-04,2026-11-05 --tag health",
            "mintee set water 7", "mintee set water 3 --date yesterday",
            "mintee analyses new Health --tag health --days 60",
        ] { _ = await hub.run(line) }
        for line in [
            "mintee analyses show Health", "mintee analyses show Health --type line",
            "mintee analyses show Water --type line --days 200",
            "mintee show water", "mintee show run", "mintee show alone", "mintee show water run", "mintee",
        ] {
            let shown = await hub.run(line, width: width).output
            let wide = shown.split(separator: "\n").filter { DisplayWidth.of(String($0)) > width }
            #expect(wide.isEmpty && !shown.isEmpty, "\(line) in \(width): \(wide)")
            if line.contains("--days 200") {
                #expect(shown.count { "▁▂▃▄▅▆▇█".contains($0) } >= 200, "no bar is cut off")
            }
        }
    }

    @Test func `an edit asks before it drops filled days`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Run --from 2026-11-01")
        for date in ["2026-11-02", "2026-11-03", "2026-11-04"] { await hub.run("mintee done run --date \(date)") }
        var shown = ""
        for (line, answers) in [
            ("mintee edit run --on Mon", nil), ("mintee edit run --on Mon", ["n"]),
            ("mintee edit run --on Mon -n", nil),
            ("mintee edit run --on Mon --name Runs", ["y"]), ("mintee list", nil), ("undo", nil), ("mintee list", nil),
        ] as [(String, [String]?)] {
            let console = ScriptedConsole(answers: answers)
            let run = await hub.run(line, console: console)
            shown += "$ hub \(line)\n" + console.transcript.map { $0 + "\n" }.joined() + run.all + "= \(run.exit)\n"
        }
        let alike = shown.replacing(/\b(?!(?:1st|2nd|3rd|4th)\b)[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b/) { _ in "xxx"
        }
        .replacing(/ID +/) { _ in "ID   " }.replacing(/xxx +/) { _ in "xxx  " }
        Golden.expect(alike, is: "edit.txt")
    }

    @Test func `a task as a form in the editor`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Run --on "Mon,Wed: x >= 5" --tag health --from 2026-11-01"#)
        let tries = Tries()
        let person = ScriptedConsole(answers: ["e"]) { text in
            tries.next() == 0
                ? text.replacing("x >= 5", with: "x >= five")
                : text.replacing("x >= five", with: "3 <= x < 8").replacing("health", with: "health, outside")
        }
        let run = await hub.run("mintee edit run", console: person)
        #expect(run.exit == 0, "\(run.all)")
        #expect(person.transcript.contains { $0.contains("\"five\" is not a number") })
        #expect(
            await hub.run("mintee list --json=sets,tags").output.contains(
                #""sets":["Mon,Wed: 3 <= x < 8"],"tags":["health","outside"]"#))
    }

    @Test func `what was given is answered in its shortest words`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        for (index, (typed, shown)) in [
            ("weekdays", "weekdays"), ("every day", "daily"), ("1-10", "1-10"), ("Mon-Fri: x >= 5", "weekdays: x >= 5"),
            ("1st Mon and 3rd Wed: x >= 5", "1st Mon: x >= 5; 3rd Wed: x >= 5"), ("x >= 8", "daily: x >= 8"),
        ].enumerated() {
            let run = await hub.run(#"mintee new Task\#(index) --on "\#(typed)""#)
            #expect(run.all.contains("is new: \(shown). Undo"), "\(run.all)")
        }
        let refused = await hub.run(#"mintee new Walk --on "every second Monday""#)
        #expect(refused.exit == 64 && refused.messages.contains("2nd Mon"))
    }

    @Test func `a value over the target is not replaced by done`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Coffee --on "daily: x <= 3""#)
        await hub.run("mintee new Read")
        await hub.run("mintee set coffee 5")
        let run = await hub.run("mintee done read coffee")
        #expect(run.exit == 65 && run.messages.contains("Coffee is 5 already, above its target x <= 3"))
        #expect(await hub.run("mintee today --plain=name,value").output == "Coffee\t5\nRead\t0\n", "all or none")
        #expect(await hub.run("mintee set coffee 6,5").messages.contains("write 6.5"))
        let person = ScriptedConsole(answers: ["3 km", "q"])
        await hub.run("mintee ask", console: person)
        #expect(await hub.run("mintee today --plain=name,value").output == "Coffee\t5\nRead\t0\n")
    }

    @Test func `a day that is not due comes with those that are`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Review --on "3rd Fri: x >= 20" --from 2026-06-01"#)
        await hub.run("mintee new Water")
        let review = await hub.run("mintee done review --date 2026-11-21")
        #expect(
            review.messages == """
                error: Review is not due on 21 November 2026
                  next due: 18 December 2026
                  last due: 20 November 2026
                  hint: use --date to pick a due day, such as --date 2026-11-20

                """)
        let water = await hub.run("mintee set water 7.5 --date yesterday")
        #expect(
            water.messages.contains("it starts on 20 November 2026") && water.messages.contains("--from 2026-11-19"))
        let json = await hub.run("mintee set water 7.5 --date yesterday --json")
        #expect(json.messages.contains(#""code":"ti-2""#))
    }

    @Test func `the name of an analysis counts as it is written`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Run --tag fit")
        await hub.run("mintee analyses new Health --tag fit")
        await hub.run("mintee analyses new health --tag fit --days 7")
        await hub.run("mintee analyses rm health --yes")
        #expect(await hub.run("mintee analyses --plain=name").output == "Health\n")
        #expect(await hub.run("mintee analyses restore health").exit == 0)
        #expect(await hub.run("mintee analyses --plain=name").output.contains("health\n"))
        #expect(await hub.run("mintee analyses rm HEALTH --yes").exit == 64, "it could be either")
        let legend = await hub.run("mintee analyses edit Health --legend missed=AD0C00")
        #expect(legend.messages.contains("reached, under or over"))
    }

    @Test(arguments: ["--from 0001-01-01 --to 9999-12-31", "--days 20000"])
    func `a chart has bounds`(range: String) async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Run --tag fit")
        let run = await hub.run("mintee analyses show Run \(range)")
        #expect(run.exit == 65 && run.messages.contains("25 years"))
        #expect(await hub.run("mintee analyses new Long --tag fit \(range)").exit == 65)
    }

    @Test func `an edit tells the target and the days that it drops`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run(#"mintee new Run --on "Mon: x >= 5" --from 2026-11-01"#)
        await hub.run("mintee set run 5 --date 2026-11-16")
        let plan = await hub.run("mintee edit run --on Tue -n")
        #expect(plan.all.contains("target x >= 5 dropped") && plan.all.contains("2026-11-16"), "\(plan.all)")
        let done = await hub.run("mintee edit run --on Tue --yes")
        #expect(done.all.contains("target x >= 5 dropped"))
        #expect(!(await hub.run(#"mintee edit run --on "Tue: x >= 6" -n"#)).all.contains("target"))
    }

    @Test(arguments: [
        ("delete run", "hub mintee rm"), ("add Run", "hub mintee new"), ("undo", "hub undo"),
        ("pause run", "today..2w"), ("vacation", "hub mintee pause --all"), ("resume run", "hub mintee unskip"),
        ("archive run", "--to yesterday"), ("complete run", "hub mintee done"),
    ])
    func `words of other programs lead on`(line: String, hint: String) async throws {
        let run = await (try TestHub(MinteePlugin.self)).run("mintee \(line)")
        #expect(run.exit == 64 && run.messages.contains(hint), "\(run.messages)")
    }

    @Test func `a taken name says the way out`() async throws {
        let hub = try TestHub(MinteePlugin.self)
        await hub.run("mintee new Run")
        await hub.run("mintee rm run --yes")
        await hub.run("mintee new Run")
        let run = await hub.run("mintee restore run")
        #expect(run.exit == 65 && run.messages.contains("rename that one, then restore"))
    }
}

/// Counts attempts.
final class Tries: Sendable {
    private let count = Mutex(0)

    /// The number of attempts before.
    func next() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
