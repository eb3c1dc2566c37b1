import Glibc
import System
import Testing

@Suite(.timeLimit(.minutes(20)))
struct SubprocessTests {
    private func shell(_ command: String) -> Subprocess { .shell(command, environment: ["PATH": "/usr/bin:/bin"]) }

    @Test func `what a program writes and how it ends is returned`() async throws {
        let finished = try await shell("echo out; echo err >&2; exit 3").run(outputLimit: 100, timeout: .seconds(3600))
        #expect(finished.status == .exited(3))
        #expect(finished.output == Array("out\n".utf8))
        #expect(finished.errorOutput == Array("err\n".utf8))
    }

    @Test func `words, variables and the folder reach the program as they are`() async throws {
        let process = Subprocess(
            "/bin/sh", ["-c", #"printf '%s|' "$1" "$HUB_X" "$PWD"; env | wc -l"#, "sh", "a b\n$x"],
            environment: ["HUB_X": "ż", "PATH": "/usr/bin:/bin"], directory: "/usr")
        let finished = try await process.run(outputLimit: 1000, timeout: .seconds(3600))
        #expect(String(decoding: finished.output, as: UTF8.self).hasPrefix("a b\n$x|ż|/usr|"))
    }

    @Test func `bytes that are not UTF-8 reach the program as they came`() async throws {
        func raw(_ bytes: [UInt8]) -> String { RawText.text(ByteString(bytes)) }
        let process = Subprocess(
            "/bin/sh", ["-c", #"printf '%s|%s' "$1" "$HUB_X""#, "sh", raw([0x63, 0xE9])],
            environment: ["HUB_X": raw([0xFF]), "PATH": "/usr/bin:/bin"])
        let finished = try await process.run(outputLimit: 1000, timeout: .seconds(3600))
        #expect(finished.output == [0x63, 0xE9, UInt8(ascii: "|"), 0xFF])
    }

    @Test func `a program is found where a child would find it`() {
        #expect(Subprocess.isFound("sh") && Subprocess.isFound("/bin/sh"))
        #expect(
            !Subprocess.isFound("hub-none-of-this-name") && !Subprocess.isFound("/usr")
                && !Subprocess.isFound("/etc/passwd"))
    }

    @Test func `much input and output pass at the same time`() async throws {
        let input = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }
        let finished = try await Subprocess("cat").run(input: input, outputLimit: input.count, timeout: .seconds(3600))
        #expect(finished.output == input)
    }

    @Test func `a program that does not read its input is no error`() async throws {
        let input = [UInt8](repeating: 0, count: 1_000_000)
        let finished = try await Subprocess("true").run(input: input, outputLimit: 0, timeout: .seconds(3600))
        #expect(finished.status.isSuccess)
    }

    @Test func `a program that writes too much is stopped`() async {
        await #expect(throws: SubprocessError.tooMuchOutput(limit: 1000)) {
            try await Subprocess("yes").run(outputLimit: 1000, timeout: .seconds(3600))
        }
    }

    @Test func `a program that takes too long is stopped, however it resists, with its children`() async throws {
        let command = "trap '' TERM; sh -c 'trap \"\" TERM; echo $$; sleep 1000' & echo $$; wait; sleep 1000"
        var timeout = Duration.milliseconds(500)
        while true {
            let (pipe, limit) = (try Pipe(), timeout)
            let process = Subprocess.shell("{ \(command); } > /proc/\(getpid())/fd/\(pipe.write)")
            await #expect(throws: SubprocessError.timedOut) {
                try await process.run(outputLimit: 1000, timeout: limit, grace: .milliseconds(100))
            }
            // The pipe ends when the last of them is gone.
            if pipe.readLines().count == 2 { return }
            // The machine was too busy to start both of them in that time.
            timeout *= 2
        }
    }

    @Test func `cancelling the task stops the program`() async throws {
        let running = Task { try await Subprocess("sleep", ["1000"]).run(outputLimit: 0, timeout: .seconds(3600)) }
        running.cancel()
        await #expect(throws: SubprocessError.cancelled) { try await running.value }
    }

    @Test func `a child that outlives the program does not keep it waiting`() async throws {
        let finished = try await shell("echo $$; sleep 5000 & echo $!").run(outputLimit: 100, timeout: .seconds(3600))
        #expect(finished.status.isSuccess)
        let lines = String(decoding: finished.output, as: UTF8.self).split(separator: "\n")
        kill(try #require(lines.last.flatMap { pid_t($0) }), SIGKILL)
    }

    @Test func `a program that is ended by a signal says which`() async throws {
        let finished = try await shell("kill -9 $$").run(outputLimit: 0, timeout: .seconds(3600))
        #expect(finished.status == .signalled(SIGKILL))
    }

    @Test(arguments: ["/there/is/none", "hub-there-is-no-such-program", "", "/etc/passwd", "a\0b"])
    func `a program that cannot be started is reported`(program: String) async {
        let error = await #expect(throws: SubprocessError.self) {
            try await Subprocess(program).run(outputLimit: 0, timeout: .seconds(3600))
        }
        guard case .notStarted? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a program has no descriptor but its three, and no signal is blocked or ignored`() async throws {
        let file = open("/dev/null", O_RDONLY)
        defer { close(file) }
        let listing = try await shell("ls /proc/self/fd").run(outputLimit: 1000, timeout: .seconds(3600))
        // `ls` itself opens the folder.
        #expect(listing.output == Array("0\n1\n2\n3\n".utf8))
        let status = try await shell("sed -n 's/Sig\\(Blk\\|Ign\\):.//p' /proc/self/status")
            .run(outputLimit: 1000, timeout: .seconds(3600))
        let masks = String(decoding: status.output, as: UTF8.self).split(separator: "\n")
        try #require(masks.count == 2)
        // The C library keeps the signals 32 and 33 to itself.
        for mask in masks { #expect(UInt64(mask, radix: 16).map { $0 & 0x7FFF_FFFF } == 0) }
    }

    @Test func `many programs run at once`() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let finished = try await shell("echo \(number)").run(outputLimit: 100, timeout: .seconds(3600))
                    return Int(String(decoding: finished.output.dropLast(), as: UTF8.self)) ?? -1
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == (0..<40).reduce(0, +))
    }
}

/// A pipe whose written lines are read when its writers are gone.
private struct Pipe {
    let read: Int32
    let write: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        // No child of another test may hold it open.
        try #require(pipe(&ends) == 0)
        for end in ends { try #require(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        (read, write) = (ends[0], ends[1])
    }

    /// Returns the written lines, once all writers are closed.
    func readLines() -> [Substring] {
        close(write)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while Glibc.read(read, &byte, 1) == 1 { bytes.append(byte) }
        close(read)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
