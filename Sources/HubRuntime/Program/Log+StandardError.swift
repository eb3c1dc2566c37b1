package import HubKit

extension Log {
    /// Writes to standard error, each line with the priority that journald reads (sd-daemon(3)) when it is the journal
    /// that listens. Without `isVerbose` only what matters to a person is written, with `isQuiet` only errors.
    package static func standardError(isVerbose: Bool, isQuiet: Bool = false, journal: Bool = false) -> Log {
        Log(label: "hub") { level, label, message in
            guard isVerbose || level <= (isQuiet ? .error : journal ? .info : .warning) else { return }
            let prefix = journal ? "<\(level.rawValue)>" : ""
            let lines = message.split(separator: "\n").map { "\(prefix)\(label): \(PrintableText.line(String($0)))\n" }
            try? DescriptorSink.standardError.write(Array(lines.joined().utf8))
        }
    }
}
