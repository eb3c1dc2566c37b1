import HTTPTypes
import XML

/// The properties that a request asks for (RFC 4918 §9.1).
enum PropertyRequest {
    /// The named ones, in order.
    case named([RequestedProperty])
    /// All that are worth telling unasked.
    case all
    /// The names of all.
    case names

    /// Reads the body of `PROPFIND`; an empty one asks for all.
    init(_ body: [UInt8]) throws(DAVFailure) {
        guard !body.isEmpty else {
            self = .all
            return
        }
        let root = try DAVBody.read(body)
        guard root.name == DAVName.dav("propfind") else { throw DAVFailure(400) }
        self.init(in: root)
    }

    /// Reads `prop`, `allprop` or `propname` inside an element; without any of them nothing is asked for.
    init(in element: XMLElement) {
        if let prop = element.child(DAVName.dav("prop")) {
            var known: Set<XMLName> = []
            self = .named(prop.children.filter { known.insert($0.name).inserted }.map(RequestedProperty.init))
        } else if element.child(DAVName.dav("propname")) != nil {
            self = .names
        } else {
            self = element.child(DAVName.dav("allprop")) == nil ? .named([]) : .all
        }
    }

    /// Whether the content of items, or a part of it, is asked for.
    var needsContent: Bool { asked { _ in true } }

    /// Whether the whole content of items is asked for. A program that gets a part of an item, such as its name, still has
    /// the version that it was given before: that one stays the base of what it changes.
    var givesContent: Bool {
        asked { $0.parts == nil && $0.calendarParts == nil && $0.expansion == nil }
    }

    private func asked(_ isMeant: (RequestedProperty) -> Bool) -> Bool {
        guard case .named(let properties) = self else { return false }
        return properties.contains {
            ($0.name == DAVName.card("address-data") || $0.name == DAVName.calendar("calendar-data")) && isMeant($0)
        }
    }
}

/// One property that is asked for.
struct RequestedProperty {
    /// The name.
    let name: XMLName
    /// The element of it.
    let tag: DAVMarkup.Tag
    /// The properties of a card that `address-data` asks for, in upper case, and whether their values are left out; nil for the whole card.
    let parts: [String: Bool]?
    /// The parts of a calendar that `calendar-data` asks for; nil for all.
    let calendarParts: CalendarParts?
    /// What `calendar-data` asks for of what recurs; nil for the components as they are.
    let expansion: CalendarExpansion?
    /// The version of cards that `address-data` asks for, 3.0 if it names none (RFC 6352 §10.4).
    let version: String
    /// The precondition that is broken by asking for a media type or version that the server does not have; nil for none.
    let unsupported: String?

    init(_ element: XMLElement) {
        name = element.name
        tag = DAVMarkup.Tag(name)
        func has(_ type: String, _ versions: [String]) -> Bool {
            (element.attributes[XMLName("", "content-type")]?.lowercased() ?? type) == type
                && versions.contains(element.attributes[XMLName("", "version")] ?? versions[0])
        }
        let isData = name == DAVName.card("address-data")
        version = element.attributes[XMLName("", "version")] ?? "3.0"
        let isCalendar = name == DAVName.calendar("calendar-data")
        unsupported =
            isData && !has("text/vcard", ["3.0", "4.0"])
            ? "card:supported-address-data-conversion"
            : isCalendar && !has("text/calendar", ["2.0"]) ? "cal:supported-calendar-data" : nil
        calendarParts = isCalendar ? element.child(DAVName.calendar("comp")).map(CalendarParts.init) : nil
        let ranges = ["expand", "limit-recurrence-set"].compactMap { element.child(DAVName.calendar($0)) }
        expansion = isCalendar ? ranges.first.flatMap(CalendarExpansion.init) : nil
        let props = element.children(DAVName.card("prop"))
        guard isData, !props.isEmpty, element.child(DAVName.card("allprop")) == nil else {
            parts = nil
            return
        }
        parts = Dictionary(
            props.compactMap { prop in
                prop.attributes[XMLName("", "name")].map {
                    ($0.uppercased(), prop.attributes[XMLName("", "novalue")] == "yes")
                }
            }, uniquingKeysWith: { first, _ in first })
    }
}

/// Reads the bodies of requests, which come from outside.
enum DAVBody {
    /// What a phone with 10,000 contacts sends is half a megabyte, and has one element for each.
    private static let limits = XMLLimits(bytes: 16 << 20, depth: 20, elements: 100_000, attributes: 100_000)

    /// The root element. Throws 400 for a document that is not well-formed, has a document type, or is beyond the limits.
    static func read(_ body: [UInt8]) throws(DAVFailure) -> XMLElement {
        do throws(XMLError) {
            return try XMLReader.read(body, limits: limits)
        } catch {
            switch error {
            case .libraryMissing, .noMemory: throw DAVFailure(503, headers: ["Retry-After": "60"])
            default: throw DAVFailure(400)
            }
        }
    }
}
