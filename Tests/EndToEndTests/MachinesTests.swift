import System
import Testing

/// Two machines with `hub serve` on each.
@Suite(.timeLimit(.minutes(5)))
struct MachinesTests {
    @Test func `a second machine joins by a line, and hub serve sends what changes there`() async throws {
        let address = "127.0.0.1:\(try FreePort.next())"
        let desk = try Sandbox(config: "[hub]\ndav.listen = \"\(address)\"\n")
        let laptop = try Sandbox(config: "[hub]\njoin.audio = \"ask\"\n")
        func run(_ line: String, in sandbox: Sandbox) async throws -> String {
            let finished = try await sandbox.shell(line)
            #expect(finished.code == 0, "\(line): \(finished.all)")
            return finished.output + finished.errors
        }
        _ = try await run("hub contacts new Ada; hub mintee new Read; hub mintee set Read 3", in: desk)
        _ = try await run("hub notes new Plan -m apples", in: desk)
        _ = try await run(
            """
            python3 -c 'import wave; w = wave.open("memo.wav", "wb"); w.setparams((1, 2, 8000, 0, "NONE", "")); w.writeframes(bytes(16000)); w.close()'
            hub dictofun import memo.wav
            """, in: desk)
        _ = try await run("hub contacts new Bob", in: laptop)
        let home = try await Daemon(in: desk)
        let output = try await run("hub devices add laptop --hub", in: desk)
        let line = try #require(output.firstMatch(of: /hub join '([^']+)'/)).1
        let plan = try await run("hub join '\(line)' -n", in: laptop)
        #expect(plan.contains("1 contact is only here and will be added there") && plan.contains("1 note"), "\(plan)")
        #expect(try await run("hub join '\(line)' --yes", in: laptop).contains("are in step"))
        #expect(try await run("hub contacts list", in: desk).contains("Bob"))
        #expect(try await run("hub mintee today", in: laptop).contains("Read"))
        #expect(try await run("hub notes show Plan", in: laptop).contains("apples"))
        // The sound comes when it is needed.
        #expect(try await run("hub dictofun list", in: laptop).contains("come when they are played"))
        _ = try await run("hub dictofun export last --as wav -o out.wav && test -s out.wav", in: laptop)
        #expect(try await !run("hub dictofun list", in: laptop).contains("come when they are played"))
        let task = try await run("hub mintee list --plain=id", in: laptop).split(separator: "\n")[0]
        let explained = try await run("hub sync --explain mintee:\(task)", in: laptop)
        #expect(explained.contains("both are the same"), "\(explained)")

        // A change there is sent by itself; one here comes with the next exchange.
        let spoke = try await Daemon(in: laptop)
        _ = try await run("hub contacts new Carl", in: laptop)
        _ = try await run(
            "timeout 100 sh -c 'until hub contacts search Carl >/dev/null 2>&1; do sleep 0.2; done'", in: desk)
        _ = try await run("hub contacts new Dora", in: desk)
        _ = try await run(
            "timeout 100 sh -c 'until hub sync -q && hub contacts search Dora >/dev/null 2>&1; do sleep 0.2; done'",
            in: laptop)
        // Notes go both ways over the connection that stays open.
        _ = try await run("hub notes append Plan pears", in: desk)
        _ = try await run(
            "timeout 100 sh -c 'until hub notes search pears >/dev/null 2>&1; do sleep 0.2; done'", in: laptop)
        _ = try await run("hub notes append Plan plums", in: laptop)
        _ = try await run(
            "timeout 100 sh -c 'until hub notes search plums >/dev/null 2>&1; do sleep 0.2; done'", in: desk)
        #expect(try await run("hub machines --plain=name,direction", in: laptop).contains("joined"))
        #expect(try await run("hub status", in: desk).contains("machines/laptop"))
        await spoke.end()

        // The home ends it.
        _ = try await run("hub devices rm laptop --yes", in: desk)
        let refused = try await laptop.shell("hub sync")
        #expect(refused.code == 77 && refused.errors.contains("does not know this machine"), "\(refused.all)")
        // A new line goes on from there; one is not for the machine that has printed it, and not for one that is reached.
        func invite(_ name: String) async throws -> String {
            let output = try await run("hub devices add \(name) --hub", in: desk)
            return String(try #require(output.firstMatch(of: /hub join '([^']+)'/)).1)
        }
        _ = try await run("hub contacts new Eve", in: desk)
        let again = try await invite("laptop")
        let own = try await desk.shell("hub join '\(again)' --yes")
        #expect(own.code == 64 && own.errors.contains("the store that has printed it"), "\(own.all)")
        let rejoined = try await run("hub join '\(again)' --yes", in: laptop)
        #expect(rejoined.contains("goes on from there") && rejoined.contains("received 1 contact"), "\(rejoined)")
        let twice = try await laptop.shell("hub join '\(try await invite("tablet"))' --yes")
        #expect(twice.code != 0 && twice.errors.contains("already"), "\(twice.all)")
        _ = try await run("hub machines rm $(hub machines --plain=name) --yes; hub sync", in: laptop)
        await home.end()
    }
}
