import CSystem
import Glibc
import HubRuntimeTesting
import System
import TestSupport
import Testing

@testable import HubRuntime

/// Reading from a real terminal, editing in a real editor, paging in a real pager.
@Suite struct TerminalTests {
    /// A pseudo-terminal: what is written to `person` is typed at `program`.
    private final class Terminal {
        let person: Int32
        let program: Int32

        init() throws {
            // The C header hides posix_openpt and its kin with a feature macro; these are TIOCSPTLCK and TIOCGPTN.
            person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
            var (isLocked, number): (Int32, Int32) = (0, 0)
            try #require(ioctl(person, 0x4004_5431, &isLocked) == 0)
            try #require(ioctl(person, 0x8004_5430, &number) == 0)
            program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
            try #require(program >= 0)
        }

        deinit {
            close(program)
            close(person)
        }

        func type(_ text: String) { _ = text.withCString { write(person, $0, strlen($0)) } }

        /// Returns the visible part of the screen.
        func screen() -> String {
            var bytes = [UInt8](repeating: 0, count: 4096)
            var ready = pollfd(fd: person, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, 0) == 1 else { return "" }
            let count = read(person, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        var echoes: Bool {
            var settings = termios()
            tcgetattr(program, &settings)
            return settings.c_lflag & tcflag_t(ECHO) != 0
        }
    }

    @Test func `a line is read up to its end and no further`() throws {
        let terminal = try Terminal()
        terminal.type("y\nnext")
        #expect(InputLine.read(from: terminal.program) == "y")
        terminal.type("\n")
        #expect(InputLine.read(from: terminal.program) == "next")
        terminal.type("\u{4}")
        #expect(InputLine.read(from: terminal.program) == nil)
    }

    @Test func `a secret is not shown, and the terminal is as it was afterwards`() async throws {
        let terminal = try Terminal()
        let program = terminal.program
        #expect(terminal.echoes)
        async let secret = BackgroundThread.run { () throws(SystemError) in
            SecretLine.read(from: program)
        } whenRefused: {
            $0
        }
        // Typed only once echo is off, as a user would after seeing the prompt.
        while terminal.echoes {
            try Task.checkCancellation()
            await Task.yield()
        }
        terminal.type("pąss\u{7F}\u{7F}x\n")
        #expect(try await secret == "pąx")
        #expect(terminal.echoes)
        #expect(!terminal.screen().contains("p"))
    }

    @Test func `an answer that comes with the prompt is read whole, and not shown`() throws {
        let terminal = try Terminal()
        #expect(SecretLine.read(from: terminal.program) { terminal.type("quick\n") } == "quick")
        #expect(terminal.echoes && !terminal.screen().contains("q"))
    }

    @Test func `the editor's text comes back, and a failing editor leaves it`() async throws {
        let editor = Editor(environment: ["EDITOR": "sed -i s/Ada/Grace/", "PATH": "/usr/bin:/bin"])
        #expect(try await editor.edit("name: Ada\n", suffix: ".txt") == "name: Grace\n")
        let failing = Editor(environment: ["VISUAL": "false", "EDITOR": "true", "PATH": "/usr/bin:/bin"])
        await #expect {
            try await failing.edit("mine", suffix: ".txt")
        } throws: { error in
            guard let error = error as? HubError, let path = error.details.first?.split(separator: " ").last else {
                return false
            }
            defer { unlink(String(path)) }
            return Golden.read(String(path)) == "mine"
        }
        await #expect(throws: HubError.self) {
            try await Editor(environment: ["PATH": "/nonexistent"]).edit("x", suffix: ".txt")
        }
    }

    @Test func `a result longer than the screen goes through the pager`() async throws {
        let path = "/tmp/hub-test-pager-\(getpid()).txt"
        defer { unlink(path) }
        let profile = TerminalProfile(outputIsTerminal: true, height: 3, environmentColor: false)
        let environment = ["HUB_PAGER": "cat >\(path)", "HUB_NO_PAGER": "0", "PATH": "/usr/bin:/bin"]
        let paged = await SampleHub.run("contacts list", profile: profile, environment: environment)
        #expect(paged.output.isEmpty && Golden.read(path).contains("Anna Lukasz"))
        let whole = await SampleHub.run("contacts list --no-pager", profile: profile, environment: environment)
        #expect(whole.output.contains("Anna Lukasz"))
        var tall = profile
        tall.height = 4
        #expect(
            await SampleHub.run("contacts list", profile: tall, environment: environment).output.contains("Anna"))
        let early = ["HUB_PAGER": "true", "HUB_NO_PAGER": "0", "PATH": "/usr/bin:/bin"]
        #expect(await SampleHub.run("help environment", profile: profile, environment: early).exit == 0)
    }
}
