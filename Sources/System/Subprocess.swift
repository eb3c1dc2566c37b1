import Glibc
import Threading

/// Another program: which one, and what it is started with.
///
/// A child gets only the descriptors 0, 1 and 2, and signals in their default state. It is never started by a shell;
/// `Subprocess.shell` says so when one is wanted.
package struct Subprocess: Sendable {
    /// A path, or a name that is looked for in `PATH`.
    package var program: String
    /// The words after the program's name.
    package var arguments: [String]
    /// The variables it sees; nil stands for this process's own.
    package var environment: [String: String]?
    /// Its working directory; nil stands for this process's own.
    package var directory: String?

    package init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, directory: String? = nil
    ) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }

    /// Creates a process for a shell command line, run by `/bin/sh`.
    package static func shell(_ command: String, environment: [String: String]? = nil) -> Subprocess {
        Subprocess("/bin/sh", ["-c", command], environment: environment)
    }

    /// The way a program ended.
    package enum Status: Hashable, Sendable {
        /// It exited with this code; 0 stands for success.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)

        /// Whether it says that it did what it was asked.
        package var isSuccess: Bool { self == .exited(0) }
    }

    /// A program that has ended, and what it wrote.
    package struct Finished: Sendable {
        /// The exit code or the signal.
        package let status: Status
        /// The bytes from standard output.
        package let output: [UInt8]
        /// The beginning of what it wrote to standard error.
        package let errorOutput: [UInt8]

        package init(status: Status, output: [UInt8], errorOutput: [UInt8]) {
            self.status = status
            self.output = output
            self.errorOutput = errorOutput
        }
    }
}

/// An error of a program that did not run to its end. If it was started, it and its children have been stopped.
package enum SubprocessError: Error, Equatable {
    /// It could not be started; no such program, for example.
    case notStarted(SystemError)
    case timedOut
    /// It wrote more than this many bytes.
    case tooMuchOutput(limit: Int)
    /// The task that ran it was cancelled.
    case cancelled
}

extension SubprocessError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .notStarted(let error): error.description
        case .timedOut: "it timed out"
        case .tooMuchOutput(let limit): "it wrote more than \(limit) bytes and was stopped"
        case .cancelled: "it was cancelled"
        }
    }
}

extension Subprocess {
    /// Runs the program to its end and returns what it wrote; any exit code is a normal end.
    ///
    /// It runs in a process group of its own. When it takes longer than `timeout`, writes more than `outputLimit` bytes
    /// or the task is cancelled, the whole group is asked to end, and killed after `grace`. `errorsArrived` gets what it writes to
    /// standard error as it comes, on the thread that waits for it.
    package func run(
        input: [UInt8] = [], outputLimit: Int, timeout: Duration, grace: Duration = .seconds(2),
        errorsArrived: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(SubprocessError) -> Finished {
        guard let wakeup = EventFD() else { throw .notStarted(SystemError("eventfd")) }
        let deadline = ContinuousClock.now + timeout
        // The thread reports every outcome, cancellation too, so the child is collected before this returns.
        return try await withTaskCancellationHandler {
            await Result { () async throws(SubprocessError) in
                try await BackgroundThread.run { () throws(SubprocessError) in
                    var loop = try SubprocessEventLoop(
                        self, input: input, outputLimit: outputLimit, deadline: deadline, grace: grace, wakeup: wakeup,
                        errorsArrived: errorsArrived)
                    return try loop.run()
                } whenRefused: {
                    .notStarted($0)
                }
            }
        } onCancel: {
            wakeup.signal()
        }.get()
    }
}

extension Subprocess {
    /// Whether a program is there and may be run: a path, or a name in `PATH`.
    package static func isFound(_ program: String) -> Bool {
        let folders = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let paths = program.contains("/") ? [program] : folders.split(separator: ":").map { "\($0)/\(program)" }
        return paths.contains { path in
            var status = stat()
            return ByteString.withPath(path) { stat($0, &status) == 0 && access($0, X_OK) == 0 }
                && status.st_mode & S_IFMT == S_IFREG
        }
    }
}

extension Result {
    /// Creates the result of `body` as a value.
    fileprivate init(_ body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension Subprocess {
    /// Runs the program on this process's own terminal: an editor, a pager. Returns when it has ended.
    ///
    /// It stays in this process's group. So it is in the foreground when this process is, Ctrl-Z suspends both, and the
    /// shell's `fg` continues both. Ctrl-C and Ctrl-\ are the program's alone meanwhile. A pager gets as `input` the end
    /// of a pipe that it pages; the caller closes it afterwards.
    package func runOnTerminal(input: Int32 = 0) async throws(SubprocessError) -> Status {
        try await BackgroundThread.run { () throws(SubprocessError) in
            let restored = [SIGINT, SIGQUIT].map { number in (number, Subprocess.ignore(number)) }
            defer { for (number, action) in restored { Subprocess.restore(number, action) } }
            let child = try ChildProcess(self, input: input, output: 1, error: 2, ownGroup: false)
            var ended = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&ended, 1, -1) != 1 {}
            return child.reap()
        } whenRefused: {
            .notStarted($0)
        }
    }

    private static func ignore(_ number: Int32) -> sigaction {
        var (ignoring, before) = (sigaction(), sigaction())
        ignoring.__sigaction_handler.sa_handler = SIG_IGN
        sigaction(number, &ignoring, &before)
        return before
    }

    private static func restore(_ number: Int32, _ action: sigaction) {
        var action = action
        sigaction(number, &action, nil)
    }
}
