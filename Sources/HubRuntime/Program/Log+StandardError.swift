package import HubKit

extension Log {
    /// Writes to standard error, with the priority prefix of sd-daemon(3) when that is the journal. Without
    /// `isVerbose` only lines that matter to the user are written, with `isQuiet` only errors.
    package static func standardError(isVerbose: Bool, isQuiet: Bool = false, journal: Bool = false) -> Log {
        Log(label: "hub") { level, label, message in
            guard isVerbose || level <= (isQuiet ? .error : journal ? .info : .warning) else { return }
            let prefix = journal ? "<\(level.rawValue)>" : ""
            let lines = message.split(separator: "\n").map {
                "\(prefix)\(label): \(TerminalSanitizer.line(String($0)))\n"
            }
            try? DescriptorSink.standardError.write(Array(lines.joined().utf8))
        }
    }
}
