import CivilDate
package import Time

/// The text of a note with places for what differs each time: `{{title}}`, `{{date}}` and `{{time}}`, or with a form of their own, such as
/// `{{date:DD.MM.YYYY}}`.
package enum NoteTemplate {
    /// The tag by which a note says that it is a template; a note that is made of it does not get it.
    package static let tag = "template"

    /// Returns a template with its places filled; what is none stays.
    package static func filled(_ text: String, title: String, at time: LocalTime) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard rest.hasPrefix("{{"), let close = rest.firstIndex(of: "}"), rest[close...].hasPrefix("}}"),
                let value = value(rest[rest.index(open, offsetBy: 2)..<close], title, time)
            else {
                result.append(rest.removeFirst())
                continue
            }
            result += value
            rest = rest[rest.index(close, offsetBy: 2)...]
        }
        return result + rest
    }

    private static func value(_ place: Substring, _ title: String, _ time: LocalTime) -> String? {
        let parts = place.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let form = parts.count == 2 ? String(parts[1]) : nil
        switch parts.first.map({ $0.filter { $0 != " " } }) {
        case "title" where form == nil: return title
        case "date": return written(form ?? "YYYY-MM-DD", time)
        case "time": return written(form ?? "HH:mm", time)
        default: return nil
        }
    }

    /// A time in a form of `YYYY`, `YY`, `MM`, `DD`, `HH`, `mm` and `ss`; other letters stay.
    private static func written(_ form: String, _ time: LocalTime) -> String {
        let second = time.millisecond / 1000
        let day = time.day.components
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
        let year = String(repeating: "0", count: max(0, 4 - String(day.year).count)) + String(day.year)
        let values = [
            ("YYYY", year), ("YY", String(year.suffix(2))), ("MM", two(day.month)), ("DD", two(day.day)),
            ("HH", two(second / 3600)), ("mm", two(second / 60 % 60)), ("ss", two(second % 60)),
        ]
        var result = ""
        var rest = form[...]
        while !rest.isEmpty {
            if let (mark, value) = values.first(where: { rest.hasPrefix($0.0) }) {
                result += value
                rest = rest.dropFirst(mark.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }
}
