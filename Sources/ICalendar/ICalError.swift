/// An error while reading a calendar or a rule.
package enum ICalError: Error, Hashable, Sendable {
    /// libical could not be loaded; the loader's text.
    case libraryMissing(String)
    /// The text is larger than allowed, in bytes.
    case tooLarge(limit: Int)
    /// A line, put together from its folded parts, is longer than allowed, in bytes.
    case lineTooLong(line: Int, limit: Int)
    /// Components are nested deeper than allowed.
    case tooDeep(line: Int, limit: Int)
    /// There are more components, or more properties, than allowed.
    case tooMany(line: Int, limit: Int)
    /// A line is not UTF-8, or has a zero byte.
    case notText(line: Int)
    /// The text has no component.
    case empty
    /// A line is outside of every component.
    case outside(line: Int)
    /// A component ends where another one is open, or is never ended.
    case unbalanced(line: Int, name: String)
    /// The text is not a recurrence rule (RFC 5545 §3.3.10).
    case noRule(String)
}

extension ICalError {
    /// The line of the text that it is about; nil when it is about no single one.
    package var line: Int? {
        switch self {
        case .lineTooLong(let line, _), .tooDeep(let line, _), .tooMany(let line, _), .notText(let line),
            .outside(let line), .unbalanced(let line, _):
            line
        case .libraryMissing, .tooLarge, .empty, .noRule: nil
        }
    }
}

extension ICalError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libical cannot be loaded: \(reason)"
        case .tooLarge(let limit): "the calendar is larger than \(limit) bytes"
        case .lineTooLong(let line, let limit): "line \(line) is longer than \(limit) bytes"
        case .tooDeep(let line, let limit): "line \(line): components are nested deeper than \(limit)"
        case .tooMany(let line, let limit): "line \(line): there are more than \(limit) components or properties"
        case .notText(let line): "line \(line) is not UTF-8 text"
        case .empty: "no component found: a calendar begins with BEGIN:VCALENDAR"
        case .outside(let line): "line \(line) is outside of BEGIN and END"
        case .unbalanced(let line, let name): "line \(line): BEGIN:\(name) has no END:\(name) of its own"
        case .noRule(let text): "\"\(text)\" is not a valid recurrence rule"
        }
    }
}

/// The limits for reading a calendar.
package struct ICalLimits: Hashable, Sendable {
    /// The largest text, in bytes.
    package var bytes: Int
    /// The longest line, put together from its folded parts, in bytes: pictures are attached in one line.
    package var lineBytes: Int
    /// The deepest nesting; the calendar itself has depth 1.
    package var depth: Int
    /// The most components.
    package var components: Int
    /// The most properties of all components together.
    package var properties: Int

    /// The limits for one item of a calendar, far above what any program writes.
    package static let item = ICalLimits(components: 10_000, properties: 10_000)

    package init(
        bytes: Int = 64 << 20, lineBytes: Int = 8 << 20, depth: Int = 16, components: Int = 500_000,
        properties: Int = 4_000_000
    ) {
        self.bytes = bytes
        self.lineBytes = lineBytes
        self.depth = depth
        self.components = components
        self.properties = properties
    }
}
