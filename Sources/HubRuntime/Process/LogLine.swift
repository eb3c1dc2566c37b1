import Glibc
package import System

/// One line of the log of `hub serve`.
package struct LogLine: Sendable, Equatable {
    /// The time of the message.
    package let at: Instant
    /// The severity.
    package let level: Log.Level
    /// The component and the message: `web: 127.0.0.1:4820 is in use by another program`.
    package let message: String

    package init(at: Instant, level: Log.Level, message: String) {
        self.at = at
        self.level = level
        self.message = message
    }

    /// The line as written in a ``LogFile``.
    package var text: String { "\(at.rfc3339) \(level.word) \(message)" }

    /// The line as an object of JSON, with the component that has written it.
    func json(_ component: String) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            for (name, value) in [
                ("time", at.rfc3339), ("level", level.word), ("component", component), ("message", message),
            ] {
                writer.name(name)
                writer.value(value)
            }
        }
        return writer.string
    }

    /// Reads a line of a ``LogFile``; nil when it is none.
    package init?(text: some StringProtocol) {
        let parts = text.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let level = Log.Level(word: String(parts[1])) else { return nil }
        let numbers = parts[0].split { !$0.isNumber }.compactMap { Int32($0) }
        guard parts[0].hasSuffix("Z"), (6...7).contains(numbers.count) else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
        (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[3], numbers[4], numbers[5])
        let milliseconds = Int64(numbers.count == 7 ? numbers[6] : 0)
        self.init(
            at: Instant(milliseconds: Int64(timegm(&time)) * 1000 + milliseconds), level: level,
            message: String(parts[2]))
    }

    /// Reads an entry of `journalctl --output=json`; nil when it is none.
    package init?(journal entry: some Sequence<UInt8>) {
        guard let json = try? JSONReader.read(Array(entry)), let message = json["MESSAGE"]?.string,
            let microseconds = json["__REALTIME_TIMESTAMP"]?.string.flatMap({ Int64($0) })
        else { return nil }
        let level = json["PRIORITY"]?.string.flatMap { Int($0) }.flatMap { Log.Level(rawValue: $0) }
        self.init(at: Instant(milliseconds: microseconds / 1000), level: level ?? .info, message: message)
    }
}

extension Log.Level {
    private static let words: [(Log.Level, String)] = [
        (.error, "error"), (.warning, "warning"), (.notice, "notice"), (.info, "info"), (.debug, "debug"),
    ]

    /// The level as a word.
    package var word: String { Self.words.first { $0.0 == self }?.1 ?? "info" }

    /// The level that `word` names.
    package init?(word: String) {
        guard let found = Self.words.first(where: { $0.1 == word }) else { return nil }
        self = found.0
    }
}

extension Log {
    /// Writes to standard error, with the priority prefix of sd-daemon(3) when that is the journal. Without
    /// `isVerbose` only lines that matter to the user are written, with `isQuiet` only errors.
    /// With `json` each message is a line of JSON, and what a journal would keep is written.
    package static func standardError(
        isVerbose: Bool, isQuiet: Bool = false, journal: Bool = false, json: (any Clock)? = nil
    ) -> Log {
        Log(label: "hub") { level, label, message in
            guard isVerbose || level <= (isQuiet ? .error : journal || json != nil ? .info : .warning) else { return }
            if let json {
                let line = LogLine(at: json.now, level: level, message: message).json(label)
                try? DescriptorSink.standardError.write(Array((line + "\n").utf8))
                return
            }
            let prefix = journal ? "<\(level.rawValue)>" : ""
            let lines = message.split(separator: "\n").map {
                "\(prefix)\(label): \(TerminalSanitizer.line(String($0)))\n"
            }
            try? DescriptorSink.standardError.write(Array(lines.joined().utf8))
        }
    }
}
