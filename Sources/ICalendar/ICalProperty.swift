package import CivilDate

/// One property of a component: a content line of RFC 5545 §3.1, as it is written.
///
/// The value is kept as written, so that unknown values are written back unchanged. ``text``, ``texts`` and ``times``
/// decode it as the type that the caller expects.
package struct ICalProperty: Hashable, Sendable {
    /// Its name, as written; empty for a line that has none, which is then the whole ``value``.
    package let name: String
    /// Its parameters, in their order.
    package let parameters: [ICalParameter]
    /// The part after the colon, unfolded, with its escapes.
    package let value: String

    /// Creates a property whose value is written as it is, such as a date, a number or a rule.
    package init(_ name: String, _ parameters: [ICalParameter] = [], value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// Creates a property with a text, or with several texts separated by commas.
    package init(_ name: String, _ parameters: [ICalParameter] = [], texts: [String]) {
        self.init(name, parameters, value: texts.map(ICalText.escaped).joined(separator: ","))
    }

    /// A property with a text.
    package init(_ name: String, text: String) { self.init(name, texts: [text]) }

    /// A property with days, each once, in the order given.
    package init(_ name: String, days: [CivilDate]) {
        self.init(
            name, [ICalParameter("VALUE", "DATE")],
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
