import CivilDate
package import Commands

/// Formats values for people in a table.
package struct CellFormatter: Sendable {
    private let relative: RelativeTime?
    private let zone: TimeZoneRules

    /// With `now` moments are near words; without it, as in a pipe, they are `2026-11-20 14:30`.
    package init(now: Instant?, zone: TimeZoneRules) {
        relative = now.map { RelativeTime(now: $0, zone: zone) }
        self.zone = zone
    }

    /// The cell for a value, on one line and safe to print.
    package func text(_ value: FieldValue) -> String {
        switch value {
        case .null: ""
        case .text(let text): TerminalSanitizer.line(text)
        case .id(let id, let shown): String(decoding: id.utf8.prefix(shown), as: UTF8.self)
        case .integer(let number): NumberFormat.grouped(number)
        case .decimal(let digits): NumberFormat.grouped(digits)
        case .number(let digits): digits
        case .bool(let truth): truth ? "yes" : "no"
        case .instant(let instant): relative?.words(for: instant) ?? minutes(instant)
        case .localTime(let time): relative?.words(for: zone.instant(at: time)) ?? "\(time.day) \(time.clock)"
        case .day(let day): day.description
        case .list(let values): values.map(text).joined(separator: ", ")
        case .object(let members):
            members.filter { $0.value != .null }.map { "\($0.name): \(text($0.value))" }.joined(separator: ", ")
        }
    }

    private func minutes(_ instant: Instant) -> String {
        let local = zone.localTime(at: instant)
        return "\(local.day) \(local.clock)"
    }
}

extension FieldValue {
    /// The value as scripts read it: whole ids, plain digits, RFC 3339, no line end and no tab.
    var plainText: String {
        switch self {
        case .null: ""
        case .text(let text), .id(let text, _): TerminalSanitizer.line(text)
        case .decimal(let digits), .number(let digits): digits
        case .integer(let number): String(number)
        case .bool(let truth): truth ? "true" : "false"
        case .instant(let instant): instant.rfc3339
        case .localTime(let time): time.iso8601
        case .day(let day): day.description
        case .list(let values): values.map(\.plainText).joined(separator: ",")
        case .object(let members): members.map { "\($0.name)=\($0.value.plainText)" }.joined(separator: ",")
        }
    }
}
