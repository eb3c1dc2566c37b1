import Commands
import Glibc
import HubKitTesting
import Notes
import TestSupport
import Testing

/// Commands with their output.
struct CommandTests {
    @Test func `the commands are declared well`() {
        #expect(CommandValidator.problems(in: NotesHub.commands).filter { $0.contains("notes") } == [])
    }

    @Test func `a note from the first line to the trash`() async throws {
        let hub = try NotesHub()
        #expect(
            await hub.shown(#"notes new Shopping -m "- bread" --tag home"#) == "Shopping (xxx) is new. Undo: hub undo\n"
        )
        #expect(
            await hub.shown(#"notes append shopping "- oat milk""#) == "Shopping (xxx): 1 line added. Undo: hub undo\n")
        #expect(
            await hub.shown("notes show shopping") == """
                Shopping (xxx)
                  #home

                - bread
                - oat milk

                """)
        #expect(await hub.run("notes show shopping", isTerminal: false).output == "Shopping\n\n- bread\n- oat milk\n")
        #expect(await hub.shown("notes pin shopping") == "Pinned: Shopping. Undo: hub undo\n")
        #expect(
            await hub.shown("notes") == """
                ID   NOTE        TAGS  FOLDER  CHANGED
                xxx  * Shopping  home          just now

                """)
        #expect(
            await hub.shown("notes search oat") == """
                ID   NOTE      TEXT                CHANGED
                xxx  Shopping  - bread - oat milk  just now

                """)
        #expect(await hub.run("notes search nothing").exit == 1)
        #expect(await hub.shown("notes rm shopping --yes") == "Shopping is in the trash for 30 days. Undo: hub undo\n")
        #expect(await hub.shown("notes restore shopping") == "Restored: Shopping. Undo: hub undo\n")
        #expect(await hub.shown("search oat").contains("Shopping"))
    }

    /// The differences of moment 6 of the manual.
    @Test func `the differences of a day`() async throws {
        let hub = try NotesHub()
        await hub.run(#"notes new Shopping -m "- bread" --folder lists"#)
        hub.clock.advance(by: .seconds(600))
        await hub.run(#"notes append shopping "- tomatoes""#)
        hub.clock.advance(by: .seconds(600))
        await hub.run(#"notes append shopping "- coffee""#)
        let diff = await hub.shown("notes diff shopping --since 12:05")
        #expect(
            diff == """
                    - bread
                  + - tomatoes      you  12:10
                  + - coffee        you  12:20

                """)
        #expect(await hub.run("notes diff shopping --since 12:05 --json=kind,text").output.contains("\"added\""))
        #expect(await hub.shown("notes restore shopping --at 12:15").contains("Restored an earlier version"))
        #expect(await hub.run("notes show shopping --json=content").output.contains(#""- bread\n- tomatoes""#))
    }

    @Test func `texts come from stdin and from the editor`() async throws {
        let hub = try NotesHub()
        let piped = ScriptedConsole(input: Array("first line\nsecond\n".utf8))
        #expect(await hub.shown("notes new -", console: piped) == "first line (xxx) is new. Undo: hub undo\n")
        let writing = ScriptedConsole(answers: []) { _ in "Diary\n\nDear me\n" }
        #expect(await hub.shown("notes new", console: writing) == "Diary (xxx) is new. Undo: hub undo\n")
        #expect(await hub.run("notes show diary --json=title,content").output.contains(#""content":"Dear me""#))
        let nothing = ScriptedConsole(answers: []) { _ in "\n" }
        #expect(await hub.shown("notes new", console: nothing) == "Cancelled\n")
        let saving = ScriptedConsole(saves: [{ $0 + " one\n" }, { $0 + "two\n" }])
        #expect(await hub.shown("notes edit diary", console: saving) == "Diary (xxx) is changed. Undo: hub undo\n")
        #expect(await hub.run("notes show diary --json=content").output.contains(#""Dear me one\ntwo""#))
        #expect(await hub.run("notes edit diary").exit == 64)
    }

    @Test func `dry runs change nothing`() async throws {
        let hub = try NotesHub()
        await hub.run("notes new Shopping")
        let before = await hub.run("notes --json").output
        for line in [
            "notes new Other", "notes append shopping x", "notes pin shopping", "notes move shopping work",
            "notes tag shopping x", "notes rm shopping", "notes edit shopping",
        ] {
            #expect(await hub.run(line + " -n").exit == 0, "\(line)")
            #expect(await hub.run("notes --json").output == before, "\(line)")
        }
    }

    @Test func `templates are written, listed, used and removed`() async throws {
        let hub = try NotesHub()
        #expect(await hub.run("notes templates").messages.contains("No templates"))
        #expect(await hub.run(#"notes templates new Meeting -m "with {{title}}""#).exit == 0)
        await hub.run("notes new Call --template meeting")
        let call = await hub.run("notes show Call --json=content,tags")
        #expect(call.output.contains(#""content":"with Call","tags":[]"#), "\(call.all)")
        // What begins with a template is none.
        #expect(await hub.run("notes templates --plain=name").output == "Meeting\n")
        #expect(await hub.run("notes templates rm meeting --yes").exit == 0)
        #expect(await hub.run("notes templates --json").output == "[]\n")
    }

    /// Each example of the help, after a store that has what the examples name.
    @Test func `every example works`() async throws {
        let (server, files) = (try NoteAppServer(), try TemporaryFolder())
        for name in ["ticket.pdf", "map.png"] { _ = try files.write(name, to: name) }
        for command in Self.leaves(of: NotesHub.commands.subcommands.filter { $0.name == "notes" }) {
            // The server runs until it is ended; it has tests of its own.
            for example in command.examples where example.command != "hub notes serve" {
                let hub = try NotesHub()
                if example.command.contains(" trip") {
                    await hub.run("notes new Trip -m hello")
                    await hub.run("notes attach trip '\(files.path)/ticket.pdf' '\(files.path)/map.png'")
                    if example.command.contains("--trash") { await hub.run("notes rm trip --yes") }
                }
                await hub.run("notes new Shopping -m milk --tag old")
                await hub.run("notes new Log")
                if example.command.contains("notes replace") {
                    await hub.run("notes append shopping '- milk'")
                    await hub.run("notes append log draft")
                }
                if example.command.contains("searches r") { await hub.run("notes searches save work tag:old") }
                if example.command.contains("--template") || example.command.contains("templates rm") {
                    for name in ["Meeting", "Day"] { await hub.run("notes new \(name) -m {{date}}") }
                }
                hub.clock.advance(by: .seconds(4 * 86_400))
                if example.command.hasPrefix("hub notes restore"), !example.command.contains("--at") {
                    await hub.run("notes rm shopping --yes")
                }
                if ["users rm", "users limit"].contains(where: example.command.contains) {
                    await hub.run("notes server users invite maria")
                }
                let isServerUsed = ["home", "servers test"].contains { example.command.contains($0) }
                if isServerUsed, !example.command.contains("servers add"), !example.command.contains("watch") {
                    await hub.run("notes servers add home \(server.url) --user ada --token-command 'echo x'")
                }
                let words = String(example.command.dropFirst(4)).split(separator: " <")
                let line = String(words[0]).replacing(/https?:\/\/[^ ]+/, with: server.url).replacing(
                    "~", with: hub.folder
                ).replacing(
                    " -o ", with: " -o \(hub.folder)/")
                let console = ScriptedConsole(
                    answers: ["y", "y"], input: Array("text\n".utf8), saves: [{ $0 + "more\n" }])
                let run = await hub.run(line, console: console)
                // No file has such a name, no keyring runs here, and there is no database of several servers.
                let isMissing = ["No such file", "in the keyring", "have one server"].contains {
                    run.messages.contains($0)
                }
                // There is nothing to answer, and no folder yet.
                let isEmpty =
                    run.exit == 1
                    && ["notes requests", "notes watch home", "notes unlock"].contains { line.hasPrefix($0) }
                    || line == "notes mirror"
                #expect(run.exit == 0 || isMissing || isEmpty, "\(line): \(run.all)")
            }
        }
    }

    @Test func `a mirrored folder that cannot be used is a warning, and the command does its work`() async throws {
        let hub = try NotesHub()
        let folder = hub.folder + "/mirror"
        #expect(await hub.run("notes mirror \(folder)").exit == 0)
        // A file in its place: as useless as a disk that is not there, or full.
        #expect(rmdir(folder) == 0 && symlink("/dev/null", folder) == 0)
        for (line, answer) in [("notes new Tea -m Assam", "Tea"), ("notes list", "Tea"), ("notes show tea", "Assam")] {
            let run = await hub.run(line)
            #expect(run.exit == 0 && run.output.contains(answer), "\(line): \(run.all)")
            #expect(run.messages.contains("the mirrored folder was not synced"), "\(line): \(run.all)")
        }
        #expect(await hub.run("notes mirror").exit != 0)
        #expect(unlink(folder) == 0)
        #expect(await hub.run("notes list").messages.contains("not synced") == false)
        #expect(access(folder + "/Tea.md", F_OK) == 0)
    }

    private static func leaves(of commands: [Command]) -> [Command] {
        commands.flatMap { [$0] + leaves(of: $0.subcommands) }
    }
}
