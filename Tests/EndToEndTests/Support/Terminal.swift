import Glibc
import System

/// `hub` on a pseudo-terminal, as a user sees it.
struct Terminal: Sendable {
    private let sandbox: Sandbox
    private let columns: Int

    init(_ sandbox: Sandbox, columns: Int = 80) {
        self.sandbox = sandbox
        self.columns = columns
    }

    /// The answer to a question that ends with `prompt`, ignoring trailing blanks.
    struct Answer: Sendable {
        let prompt: String
        let text: String
    }

    /// The final screen, all output, and the exit code of the command.
    struct Session: Sendable {
        let screen: TerminalScreen
        let code: Int32
    }

    /// The terminal did not show what was awaited.
    struct Stuck: Error {
        let screen: String
        let awaited: String
    }

    /// Runs `hub` with these words, answering its questions in this order; both streams go to the screen.
    func run(
        _ arguments: String..., answers: [Answer] = [], timeout: Duration = .seconds(3600)
    ) async throws -> Session {
        try await run(arguments, answers: answers, timeout: timeout)
    }

    /// Runs `hub` with these words, answering its questions in this order; both streams go to the screen.
    func run(
        _ arguments: [String], answers: [Answer] = [], timeout: Duration = .seconds(3600)
    ) async throws -> Session {
        try await BackgroundThread.run {
            try TerminalProcess(arguments, sandbox, columns: columns).finish(answers, timeout)
        } whenRefused: {
            $0
        }
    }
}

/// One process on a pseudo-terminal; blocks its thread.
private struct TerminalProcess {
    /// The end that a terminal program would hold.
    private let master: Int32
    private let pid: pid_t

    /// TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>, macros that Swift does not see.
    private static let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
    /// POSIX_SPAWN_SETSID of <spawn.h>, which Swift does not see: a new session takes the terminal that it opens.
    private static let newSession: Int16 = 0x80

    init(_ arguments: [String], _ sandbox: Sandbox, columns: Int) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (locked, number): (Int32, UInt32) = (0, 0)
        guard master >= 0, ioctl(master, Self.setLock, &locked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
            throw SystemError("open /dev/ptmx")
        }
        var size = winsize(ws_row: 200, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        pid = try Spawn.hub(arguments, sandbox, sandbox.environment, &actions, &attributes)
    }

    /// Plays the answers and waits for the end.
    func finish(_ answers: [Terminal.Answer], _ timeout: Duration) throws -> Terminal.Session {
        defer { close(master) }
        let deadline = ContinuousClock.now + timeout
        var answers = answers[...]
        var screen = TerminalScreen()
        while let bytes = try read(before: deadline, screen, answers.first?.prompt) {
            screen.feed(bytes)
            if let next = answers.first, screen.text.hasSuffix(next.prompt) {
                answers.removeFirst()
                let line = Array((next.text + "\n").utf8)
                guard write(master, line, line.count) == line.count else { throw SystemError("write") }
            }
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        if let missing = answers.first { throw Terminal.Stuck(screen: screen.text, awaited: missing.prompt) }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        return Terminal.Session(screen: screen, code: code)
    }

    /// Returns the next output of the process; nil when it has ended.
    private func read(
        before deadline: ContinuousClock.Instant, _ screen: TerminalScreen, _ awaited: String?
    ) throws -> [UInt8]? {
        while true {
            var ready = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            let left = (deadline - .now).components
            let count = poll(&ready, 1, Int32(clamping: max(0, left.seconds * 1000 + 1)))
            if count == 0 {
                kill(pid, SIGKILL)
                waitpid(pid, nil, 0)
                throw Terminal.Stuck(screen: screen.text, awaited: awaited ?? "the end")
            }
            var bytes = [UInt8](repeating: 0, count: 1 << 14)
            let length = Glibc.read(master, &bytes, bytes.count)
            if length > 0 { return Array(bytes[..<length]) }
            // The last writer is gone.
            if length == 0 || errno == EIO { return nil }
            guard errno == EINTR || errno == EAGAIN else { throw SystemError("read") }
        }
    }
}
