package import CivilDate
package import ContentLines

/// One property of a component: a content line of RFC 5545 §3.1, as it is written.
///
/// The value is kept as written, so that unknown values are written back unchanged. ``text``, ``texts`` and ``times``
/// decode it as the type that the caller expects.
package struct ICalProperty: Hashable, Sendable {
    /// Its name, as written; empty for a line that has none, which is then the whole ``value``.
    package let name: String
    /// Its parameters, in their order.
    package let parameters: [ContentParameter]
    /// The part after the colon, unfolded, with its escapes.
    package let value: String

    /// Creates a property whose value is written as it is, such as a date, a number or a rule.
    package init(_ name: String, _ parameters: [ContentParameter] = [], value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// Creates a property with a text, or with several texts separated by commas.
    package init(_ name: String, _ parameters: [ContentParameter] = [], texts: [String]) {
        self.init(name, parameters, value: texts.map(ICalText.escaped).joined(separator: ","))
    }

    /// A property with a text.
    package init(_ name: String, text: String) { self.init(name, texts: [text]) }

    /// A property with days, each once, in the order given.
    package init(_ name: String, days: [CivilDate]) {
        self.init(
            name, [ContentParameter("VALUE", "DATE")],
            value: days.map { ICalTime(date: $0).description }.joined(separator: ","))
    }

    /// Whether it has this name, in whatever case.
    package func isNamed(_ name: String) -> Bool { self.name.uppercased() == name.uppercased() }

    /// The value of the parameter `name`, without quotes.
    package subscript(name: String) -> String? {
        parameters.first { $0.name.uppercased() == name.uppercased() }?.value
    }

    /// The value read as one text.
    package var text: String { ICalText.unescaped(value) }

    /// The value as texts separated by commas.
    package var texts: [String] { ICalText.list(value) }

    /// The value as dates and times separated by commas; nil when one of them is invalid. A period counts by its
    /// start.
    package var times: [ICalTime]? {
        let zone = self["TZID"]
        var times: [ICalTime] = []
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            guard let time = ICalTime(part.prefix { $0 != "/" }, zone: zone) else { return nil }
            times.append(time)
        }
        return times
    }
}

extension ICalProperty {
    /// The property that `line`, which is unfolded, is; one without a name if it is none, with the whole line as value.
    init(line: String) {
        let bytes = line.utf8.span
        let header = ContentLineHeader(at: 0, of: bytes)
        let isNamed = header.nameEnd > 0 && line.utf8.prefix(header.nameEnd).allSatisfy(ICalProperty.isWord)
        guard let colon = header.colon, !header.hasOpenQuote, isNamed else {
            self.init("", value: line)
            return
        }
        func part(_ start: Int, _ end: Int) -> String {
            let first = line.utf8.index(line.startIndex, offsetBy: start)
            return String(line[first..<line.utf8.index(first, offsetBy: end - start)])
        }
        self.init(
            part(0, header.nameEnd), ContentParameter.list(part(header.nameEnd, colon)),
            value: part(colon + 1, bytes.count))
    }

    /// Letters, digits, `-`, and what some programs put into names all the same.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    /// The line as written, unfolded and without its end.
    var line: String {
        name.isEmpty ? value : "\(name)\(parameters.map(\.text).joined()):\(value)"
    }
}
