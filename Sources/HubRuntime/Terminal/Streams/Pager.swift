import CSystem
import Glibc
import System

/// A pager that shows long results on a terminal: `HUB_PAGER`, `PAGER`, or `less`.
struct Pager {
    private let command: String
    private let variables: [String: String]

    /// The pager that `environment` asks for; nil when it asks for none or there is none.
    init?(environment: [String: String]) {
        guard let command = environment["HUB_PAGER"] ?? environment["PAGER"] ?? Pager.usual(environment),
            !command.isEmpty, command != "cat"
        else { return nil }
        self.command = command
        // Quits when all fits a screen, shows colours, and leaves the text on the terminal. Options of the person's own may not show
        // colours; hub's come first, because the last option may be a text up to the end.
        let less = environment["LESS"].map { "-R \($0)" } ?? "FRX"
        variables = environment.merging(["LESS": less]) { $1 }
    }

    private static func usual(_ environment: [String: String]) -> String? {
        ExecutablePath.first(of: ["less", "more"], in: environment)
    }

    /// Shows `bytes` and waits until the user leaves the pager. Returns false when it could not be started.
    func show(_ bytes: [UInt8]) async -> Bool {
        var ends: (reading: Int32, writing: Int32) = (-1, -1)
        guard system_pipe(&ends.reading, &ends.writing) == 0 else { return false }
        let (reading, writing) = ends
        let sink = DescriptorSink(writing)
        // The error of a pager that was left early is ignored; that thread has SIGPIPE blocked.
        async let written: Void? = try? BackgroundThread.run { () throws(SinkError) in
            defer { close(writing) }
            try sink.write(bytes)
        } whenRefused: {
            .system($0.code)
        }
        let status = try? await Subprocess.shell(command, environment: variables).runOnTerminal(input: reading)
        close(reading)
        _ = await written
        return status != nil && status != .exited(127)
    }
}
