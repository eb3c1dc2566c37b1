import CivilDate
import HubKitTesting
import NotesDomain
import Testing
import Time

@testable import Notes

/// Templates, the note of the day, and text on stdin.
@MainActor struct TemplateTests {
    private func content(_ note: String, _ hub: NotesHub) async -> String {
        await hub.run("notes show \(note) --json=content", isTerminal: false).output
    }

    @Test func `a template fills in the title, the day and the time`() {
        let time = LocalTime(day: CivilDate(daysSinceEpoch: 0), millisecond: 45_296_000)
        #expect(NoteTemplate.filled("# {{title}} {{ date }} {{time}}", title: "T", at: time) == "# T 1970-01-01 12:34")
        #expect(NoteTemplate.filled("{{date:DD.MM.YY}} {{time:HH mm:ss}}", title: "", at: time) == "01.01.70 12 34:56")
        for text in ["{", "{{", "{{title", "{{title}", "{{other}}", "{a}} {{}}", "{{title:x}}"] {
            #expect(NoteTemplate.filled(text, title: "T", at: time) == text)
        }
        #expect(NoteTemplate.filled("{{{title}}}", title: "T", at: time) == "{T}")
    }

    @Test func `a note begins with the text and tags of a template`() async throws {
        let hub = try NotesHub()
        await hub.run("notes new Meeting --tag template --tag work -m 'With {{title}} on {{date}}'")
        #expect(await hub.run("notes new Ada --template meeting --tag x").exit == 0)
        #expect(await content("ada", hub).contains("With Ada on 2026-11-20"))
        #expect(await hub.run("notes list --json=title,tags", isTerminal: false).output.contains("[\"work\",\"x\"]"))
        #expect(await hub.run("notes new Bob --template nothing").exit != 0)
    }

    @Test func `the note of the day is made once, and lines are added to it`() async throws {
        let hub = try NotesHub()
        await hub.run("notes new Day -m '# {{date:DD.MM.}}'")
        #expect(await hub.run("notes daily -n", isTerminal: false).all.contains("Would create daily/2026-11-20"))
        #expect(await hub.run("notes daily first --template day", isTerminal: false).exit == 0)
        #expect(await hub.run("notes daily second", isTerminal: false).exit == 0)
        #expect(await content("2026-11-20", hub).contains("# 20.11.\\nfirst\\nsecond"))
        #expect(await hub.run("notes daily", isTerminal: false).all.contains("today's note"))
        #expect(
            await hub.run("notes list --json=title", isTerminal: false).output.split(separator: "2026-11-20").count == 2
        )
        await hub.run("notes daily --folder / x", isTerminal: false)
        #expect(
            await hub.run("notes list --folder daily --json=title", isTerminal: false).output.split(
                separator: "2026-11-20"
            ).count == 2)
        let console = ScriptedConsole(editor: { $0 + "\ntyped\n" })
        await hub.run("notes daily", console: console)
        #expect(await hub.run("notes search typed", isTerminal: false).output.contains("2026-11-20"))
    }

    @Test func `text on stdin is not dropped silently`() async throws {
        let hub = try NotesHub()
        let console = ScriptedConsole(input: Array("from a pipe\n".utf8))
        let made = await hub.run("notes new Log", console: console)
        #expect(made.exit == 0 && made.all.contains("the text on standard input was not read"), "\(made.all)")
        #expect(!(await hub.run("notes new Log2 -", console: console).all.contains("was not read")))
        #expect(await content("log2", hub).contains("from a pipe"))
        #expect(!(await hub.run("notes new Log3 -m text", console: console).all.contains("was not read")))
        #expect(!(await hub.run("notes new Log4").all.contains("was not read")))
    }
}
