import Sync
import Time
import XML

/// Writes the answer for one resource of a multistatus (RFC 4918 §14.24).
struct PropertyWriter {
    /// What is asked for.
    let request: PropertyRequest
    /// Whether properties that do not exist are left out.
    let isMinimal: Bool
    /// Whether the device may only read.
    let isReadOnly: Bool
    /// The homes that the device may use.
    let homes: [DAVCollection.Home]
    /// The zone of days and of times without one.
    let zone: TimeZoneRules

    /// The answer for a resource. `href` is its path as the client wrote it, else the one of the resource.
    func response(
        _ resource: DAVResource, href: String? = nil, state: ServedState? = nil, item: ServedItem? = nil,
        entry: ServedEntry? = nil, ownCard: String? = nil, set: [String: String] = [:],
        expansions: [XMLName: String] = [:]
    ) -> String {
        let source = Source(
            resource: resource, state: state, entry: item?.entry ?? entry, content: item?.content, ownCard: ownCard,
            set: set)
        var (found, missing) = ("", "")
        switch request {
        case .named(let properties):
            for property in properties {
                if let value = expansions[property.name] ?? value(property, source) {
                    found += property.tag.around(value)
                } else if !isMinimal {
                    missing += property.tag.around("")
                }
            }
        case .all, .names:
            var isName = false
            if case .names = request { isName = true }
            for property in Self.common {
                guard let value = value(property, source) else { continue }
                found += property.tag.around(isName ? "" : value)
            }
        }
        var text = "<d:response>" + DAVMarkup.href(href ?? resource.href)
        if !found.isEmpty || missing.isEmpty { text += Self.propstat(found, 200) }
        if !missing.isEmpty { text += Self.propstat(missing, 404) }
        return text + "</d:response>"
    }

    /// The addresses in a property of a resource that is not an item; nil when it does not have the property.
    func hrefs(in property: RequestedProperty, of resource: DAVResource) -> [String]? {
        let source = Source(resource: resource, state: nil, entry: nil, content: nil, ownCard: nil, set: [:])
        return value(property, source)?.split(separator: "<d:href>").compactMap { part in
            part.firstRange(of: "</d:href>").map { String(part[..<$0.lowerBound]) }
        }
    }

    /// The properties with one status.
    static func propstat(_ properties: String, _ status: Int, error: String = "") -> String {
        let reason = error.isEmpty ? "" : "<d:error>\(error)</d:error>"
        return "<d:propstat><d:prop>\(properties)</d:prop>\(DAVMarkup.status(status))\(reason)</d:propstat>"
    }

    /// What properties are made from.
    private struct Source {
        let resource: DAVResource
        let state: ServedState?
        let entry: ServedEntry?
        let content: [UInt8]?
        let ownCard: String?
        /// The properties that the device has set.
        let set: [String: String]
    }

    /// The properties of a calendar that a device may set for itself, in the form `{namespace}name`.
    static let settable: Set<String> = [
        DAVName.dav("displayname"), DAVName.calendar("calendar-description"), DAVName.calendar("calendar-timezone"),
        XMLName(DAVName.apple, "calendar-color"), XMLName(DAVName.apple, "calendar-order"),
    ].map(\.key).reduce(into: []) { $0.insert($1) }

    /// The properties of an address book that a device may set.
    static let settableOfBooks: Set<String> = [
        DAVName.dav("displayname").key, DAVName.card("addressbook-description").key,
    ]

    /// The properties of calendars that no program can set.
    static let protected: Set<String> = Set(
        [
            "resourcetype", "getetag", "getcontenttype", "getcontentlength", "getlastmodified", "sync-token",
            "current-user-principal", "owner", "principal-collection-set", "current-user-privilege-set",
            "supported-report-set", "add-member",
        ].map { DAVName.dav($0).key }
            + [
                "supported-calendar-data", "max-resource-size", "min-date-time", "max-date-time",
                "supported-collation-set", "calendar-home-set", "supported-calendar-component-set",
            ].map { DAVName.calendar($0).key } + [DAVName.server("getctag").key])

    /// The properties that are told unasked.
    private static let common = [
        "resourcetype", "displayname", "getetag", "getcontenttype", "getcontentlength", "getlastmodified",
        "current-user-principal", "sync-token",
    ].map { RequestedProperty(XMLElement(DAVName.dav($0))) }

    /// The value in XML; nil when the resource does not have the property.
    private func value(_ property: RequestedProperty, _ source: Source) -> String? {
        if !source.set.isEmpty, let value = source.set[property.name.key] {
            if case .collection(let collection) = source.resource, collection.isKept { return value }
            return DAVMarkup.escaped(value)
        }
        return switch property.name.namespace {
        case DAVName.dav: davValue(property.name.local, source)
        case DAVName.card: cardValue(property, source)
        case DAVName.calendar: calendarValue(property, source)
        case DAVName.server: serverValue(property.name.local, source)
        default: nil
        }
    }

    private func davValue(_ name: String, _ source: Source) -> String? {
        switch name {
        case "resourcetype": return Self.type(of: source.resource)
        case "displayname": return Self.title(of: source.resource).map { DAVMarkup.escaped($0) }
        case "current-user-principal", "owner", "principal-URL":
            if name == "principal-URL", case .principal = source.resource {
            } else if name == "principal-URL" {
                return nil
            }
            return DAVMarkup.href("/principals/me/")
        case "principal-collection-set": return DAVMarkup.href("/principals/")
        case "current-user-privilege-set": return privileges(isReadOnly || source.resource.isReadOnlyCollection)
        case "supported-report-set": return Self.reports(of: source.resource)
        case "sync-token": return source.state.map { SyncToken($0).text }
        case "add-member":
            guard case .collection(let collection) = source.resource, !isReadOnly, !collection.isReadOnly else {
                return nil
            }
            return DAVMarkup.href(collection.href + ";add-member")
        default: return Self.contentValue(name, source)
        }
    }

    /// The properties of items, and the etag of collections.
    private static func contentValue(_ name: String, _ source: Source) -> String? {
        guard case .item(let collection, _) = source.resource, let entry = source.entry else {
            return name == "getetag" ? source.state.map { "\"\($0.epoch)-\($0.number)\"" } : nil
        }
        switch name {
        case "getetag": return "\"\(entry.etag)\""
        case "getcontenttype": return collection.kind.mediaType
        case "getcontentlength": return String(entry.length)
        case "getlastmodified": return HTTPDate.text(entry.changedAt)
        default: return nil
        }
    }

    /// The address of a home, for the principal and the root.
    private func home(_ home: DAVCollection.Home, of resource: DAVResource) -> String? {
        switch resource {
        case .root, .principal: homes.contains(home) ? DAVMarkup.href("/\(home.rawValue)/") : nil
        default: nil
        }
    }

    private func cardValue(_ property: RequestedProperty, _ source: Source) -> String? {
        if property.name.local == "addressbook-home-set" { return home(.contacts, of: source.resource) }
        switch source.resource {
        case .item(let collection, _) where collection.kind == .addressBook:
            guard property.name.local == "address-data", let content = source.content else { return nil }
            let whole = collection.items.content(content, in: property.version)
            let bytes = property.parts.map { CardLines(whole).only($0) } ?? whole
            return DAVMarkup.escaped(String(decoding: bytes, as: UTF8.self))
        case .collection(let collection) where collection.kind == .addressBook: break
        default: return nil
        }
        switch property.name.local {
        case "supported-address-data":
            return ["3.0", "4.0"].map { "<card:address-data-type content-type=\"text/vcard\" version=\"\($0)\"/>" }
                .joined()
        case "max-resource-size": return String(DAVService.maximumSize)
        case "max-image-size": return "5242880"
        case "supported-collation-set": return Self.collations("card")
        default: return nil
        }
    }

    private func calendarValue(_ property: RequestedProperty, _ source: Source) -> String? {
        if property.name.local == "calendar-home-set" { return home(.tasks, of: source.resource) }
        let components: [String]
        switch source.resource {
        case .principal where property.name.local == "calendar-user-address-set" && homes.contains(.tasks):
            // Empty and there: clients that miss it ask again each time.
            return ""
        case .item(let collection, _) where collection.kind != .addressBook:
            guard property.name.local == "calendar-data", let content = source.content else { return nil }
            let whole = property.expansion?.applied(to: content, zone: zone) ?? content
            let bytes = property.calendarParts?.only(whole) ?? whole
            return DAVMarkup.escaped(String(decoding: bytes, as: UTF8.self))
        case .collection(let collection):
            guard collection.kind != .addressBook else { return nil }
            components = collection.kind.components
        default: return nil
        }
        switch property.name.local {
        case "supported-calendar-component-set": return components.map { "<cal:comp name=\"\($0)\"/>" }.joined()
        case "supported-calendar-data": return "<cal:calendar-data content-type=\"text/calendar\" version=\"2.0\"/>"
        case "max-resource-size": return String(DAVService.maximumSize)
        case "min-date-time": return "19000101T000000Z"
        case "max-date-time": return "21991231T235959Z"
        case "supported-collation-set": return Self.collations("cal")
        default: return nil
        }
    }

    private static func collations(_ prefix: String) -> String {
        ["i;ascii-casemap", "i;unicode-casemap", "i;octet"].map {
            "<\(prefix):supported-collation>\($0)</\(prefix):supported-collation>"
        }.joined()
    }

    private func serverValue(_ name: String, _ source: Source) -> String? {
        switch (name, source.resource) {
        case ("getctag", _): source.state.map { SyncToken($0).text }
        case ("me-card", .home): source.ownCard.map(DAVMarkup.href)
        default: nil
        }
    }

    private func privileges(_ isReadOnly: Bool) -> String {
        (isReadOnly ? ["read"] : ["read", "write", "write-content", "bind", "unbind"])
            .map { "<d:privilege><d:\($0)/></d:privilege>" }.joined()
    }

    private static func type(of resource: DAVResource) -> String {
        switch resource {
        case .root, .principals, .home: "<d:collection/>"
        case .principal: "<d:principal/>"
        case .collection(let collection):
            "<d:collection/>" + (collection.kind == .addressBook ? "<card:addressbook/>" : "<cal:calendar/>")
        // It is empty, and still told: a client passes over items without it.
        case .item: ""
        }
    }

    static func title(of resource: DAVResource) -> String? {
        switch resource {
        case .root: "hub"
        case .principals: "Principals"
        case .principal: "Me"
        case .home(let home): home.title
        case .collection(let collection): collection.title
        case .item: nil
        }
    }

    private static func reports(of resource: DAVResource) -> String? {
        var names = ["d:expand-property"]
        switch resource {
        case .item: return nil
        case .collection(let collection):
            let own =
                collection.kind == .addressBook
                ? ["card:addressbook-multiget", "card:addressbook-query"]
                : ["cal:calendar-multiget", "cal:calendar-query", "cal:free-busy-query"]
            names = ["d:sync-collection"] + own + names
        case .root, .principals, .principal:
            names += ["d:principal-match", "d:principal-property-search", "d:principal-search-property-set"]
        default: break
        }
        return names.map {
            "<d:supported-report><d:report><\($0)/></d:report></d:supported-report>"
        }.joined()
    }
}

extension XMLName {
    /// The name in the form `{namespace}name`.
    var key: String { "{\(namespace)}\(local)" }
}

/// Dates in the form of HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    /// The date of milliseconds since 1970 UTC, to the second.
    static func text(_ milliseconds: Int64) -> String {
        let (days, seconds) = (milliseconds / 1000).quotientAndRemainder(dividingBy: 86_400)
        let (day, month, year) = date(Int(days))
        let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { two(Int($0)) }.joined(separator: ":")
        return "\(weekdays[Int(days) % 7]), \(two(day)) \(names[month - 1]) \(year) \(time) GMT"
    }

    /// The same moment as a timestamp (RFC 3339).
    static func timestamp(_ milliseconds: Int64) -> String {
        let (days, seconds) = (milliseconds / 1000).quotientAndRemainder(dividingBy: 86_400)
        let (day, month, year) = date(Int(days))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { two(Int($0)) }.joined(separator: ":")
        return "\(year)-\(two(month))-\(two(day))T\(time)Z"
    }

    /// The civil date of a number of days since 1970, none before it.
    private static func date(_ days: Int) -> (day: Int, month: Int, year: Int) {
        // Years begin with March here, so that the day that some of them have more is their last.
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            dayOfYear - (153 * month + 2) / 5 + 1, isNextYear ? month - 9 : month + 3,
            yearOfEra + era * 400 + (isNextYear ? 1 : 0)
        )
    }
}
