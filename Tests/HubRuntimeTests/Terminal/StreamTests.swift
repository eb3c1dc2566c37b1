import CivilDate
import Commands
import Glibc
import HubKitTesting
import HubRuntime
import HubRuntimeTesting
import Synchronization
import TestSupport
import Testing

@Suite struct StreamTests {
    @Test func `a file appears whole or not at all`() async throws {
        try await withTemporaryDirectory { folder in
            let path = "\(folder)/out.txt"
            let run = await SampleHub.run("contacts list --plain=name -o \(path)")
            #expect(run.output.isEmpty && run.exit == 0)
            #expect(Golden.read(path) == "Łukasz Nowak\nAnna Lukasz\n")
            #expect(await SampleHub.run("contacts list --plain=nothing -o \(path)").exit == 64)
            #expect(Golden.read(path) == "Łukasz Nowak\nAnna Lukasz\n")
            #expect(Shell.run("sh", "-u", "ls '\(folder)'") == ["out.txt"])
        }
    }

    @Test func `a file keeps its mode, and a folder is refused`() async throws {
        try await withTemporaryDirectory { folder in
            let path = "\(folder)/secret.txt"
            Golden.write("Anna Lukasz\n", to: path)
            chmod(path, 0o600)
            let other = await SampleHub.run("contacts list --plain=name -o \(path)")
            #expect(other.exit == 64 && other.messages.contains("--force"), "other text is not replaced")
            #expect(Golden.read(path) == "Anna Lukasz\n")
            #expect(await SampleHub.run("contacts list --plain=name -o \(path) --force").exit == 0)
            #expect(Shell.run("sh", "-u", "stat -c %a '\(path)'") == ["600"])
            let refused = await SampleHub.run("contacts list -o \(folder)/no/such.txt")
            #expect(refused.exit == 74 && refused.messages.hasPrefix("error: cannot write"))
            #expect(await SampleHub.run("contacts list -o /dev/null").exit == 0)
        }
    }

    /// A pipe whose reader has gone.
    private struct ClosedSink: ByteSink {
        func write(_ bytes: [UInt8]) throws(SinkError) { throw .closed }
    }

    @Test func `a reader that goes away ends the command without a word`() async {
        let messages = MemorySink()
        let runner = CommandRunner(
            root: SampleHub.root,
            environment: .init(
                variables: [:], profile: TerminalProfile(), output: ClosedSink(), messages: messages,
                clock: FixedClock(now: SampleHub.now), zone: .utc, console: ScriptedConsole()),
            makeHost: { _ in SampleHub.NoHost() })
        #expect(await runner.run(["contacts", "list"]) == 141)
        #expect(messages.text.isEmpty)
    }

    @Test func `progress is drawn ten times a second at most and is gone at the end`() {
        let (sink, clock) = (MemorySink(), FixedClock(now: SampleHub.now))
        let line = ProgressLine(sink: sink, width: 80, glyphs: Glyphs(isUTF8: true), clock: clock)
        for step in 0...1000 {
            line.show(Progress("today 09:41", completed: step, of: 1000, unit: "kB"))
            clock.advance(by: .milliseconds(10))
        }
        line.show(nil)
        let drawings = sink.text.split(separator: "\r").filter { $0 != "\u{1B}[2K" }
        #expect((95...101).contains(drawings.count))
        #expect(drawings[50] == "\u{1B}[2Ktoday 09:41  █████████░░░░░░░░░   50 %  500 of 1000 kB  100 kB/s  0:05 left")
        #expect(sink.text.hasSuffix("\r\u{1B}[2K"))
        #expect(drawings.allSatisfy { DisplayWidth.of($0.dropFirst(4)) < 80 })
    }

    @Test func `a server that is silent for some seconds is named, until there is progress`() {
        let (sink, clock) = (MemorySink(), FixedClock(now: SampleHub.now, sleep: .lasts))
        let line = ProgressLine(sink: sink, width: 80, glyphs: Glyphs(isUTF8: true), clock: clock)
        line.wait(for: "posteo")
        #expect(line.drawSilence(of: 1) && sink.text.isEmpty)
        clock.advance(by: .seconds(3))
        #expect(line.drawSilence(of: 1) && sink.text == "\r\u{1B}[2Kwaiting for posteo… 3 s")
        line.show(Progress("posteo", completed: 1, unit: "cards"))
        let before = sink.text
        clock.advance(by: .seconds(1))
        #expect(line.drawSilence(of: 1) && sink.text == before)
        line.show(nil)
        clock.advance(by: .seconds(9))
        #expect(!line.drawSilence(of: 1) && sink.text.hasSuffix("\r\u{1B}[2K"))
        line.wait(for: "work")
        #expect(!line.drawSilence(of: 1) && line.drawSilence(of: 2))
        line.show(nil)
    }

    @Test(arguments: [
        ([:], nil), (["NO_COLOR": "1"], false), (["NO_COLOR": ""], nil), (["TERM": "dumb"], false),
        (["CLICOLOR": "0"], false), (["CLICOLOR_FORCE": "1"], true), (["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
        (["CLICOLOR_FORCE": "0", "TERM": "xterm"], nil),
    ])
    func `the environment decides on colour`(environment: [String: String], color: Bool?) {
        #expect(TerminalProfile.current(environment: environment).environmentColor == color)
    }

    @Test(arguments: [
        (["LANG": "en_GB.UTF-8"], true), (["LANG": "C.utf8"], true), (["LANG": "C"], false), ([:], false),
        (["LC_ALL": "C", "LANG": "en_GB.UTF-8"], false), (["LC_ALL": "", "LC_CTYPE": "de_DE.UTF-8"], true),
        (["LANG": "de_DE.UTF-8@euro"], true), (["LANG": "pl_PL.ISO-8859-2"], false),
    ])
    func `the locale decides on glyphs`(environment: [String: String], isUTF8: Bool) {
        #expect(TerminalProfile.current(environment: environment).isUTF8 == isUTF8)
    }
}
