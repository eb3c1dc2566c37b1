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
