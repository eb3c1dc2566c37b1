import ContentLines
import ICalendar
import Time
import XML

/// The filter of `calendar-query` (RFC 4791 §9.7).
struct CalendarFilter {
    /// A condition on components of a name.
    struct ComponentFilter {
        let name: String
        var isUndefined = false
        var range: CalendarRange?
        var properties: [PropertyFilter] = []
        var components: [ComponentFilter] = []
    }

    /// A condition on a property.
    struct PropertyFilter {
        let name: String
        var isUndefined = false
        var range: CalendarRange?
        var text: TextMatch?
        var parameters: [ParameterFilter] = []
    }

    /// A condition on a parameter.
    struct ParameterFilter {
        let name: String
        var isUndefined = false
        var text: TextMatch?
    }

    private let root: ComponentFilter
    private let zone: TimeZoneRules

    fileprivate static let unsupported = DAVFailure(403, "<cal:supported-filter/>")
    static let invalid = DAVFailure(403, "<cal:valid-filter/>")

    /// Reads `filter`; days and times without a zone are those of `zone`.
    init(_ element: XMLElement, zone: TimeZoneRules) throws(DAVFailure) {
        guard let child = element.child(DAVName.calendar("comp-filter")) else { throw CalendarFilter.invalid }
        root = try ComponentFilter(child)
        guard root.name == "VCALENDAR" else { throw CalendarFilter.invalid }
        self.zone = zone
    }

    /// Whether all items of a calendar of this component pass, so that none of them has to be read.
    func passesAll(of components: [String]) -> Bool {
        guard !root.isUndefined, root.range == nil, root.properties.isEmpty, root.components.count <= 1 else {
            return false
        }
        guard let inner = root.components.first else { return true }
        return components == [inner.name] && !inner.isUndefined && inner.range == nil && inner.properties.isEmpty
            && inner.components.isEmpty
    }

    /// Whether an item passes. One that cannot be read does not.
    func matches(_ content: [UInt8]) -> Bool {
        guard let calendar = try? ICalReader.read(content, limits: .item) else { return false }
        return root.matches(
            calendar, in: nil, calendar.first.map { CalendarZones(of: $0, zone) } ?? CalendarZones(zone))
    }
}

extension CalendarFilter.ComponentFilter {
    fileprivate init(_ element: XMLElement) throws(DAVFailure) {
        guard let name = element.attributes[XMLName("", "name")] else { throw CalendarFilter.invalid }
        self.name = name.uppercased()
        for child in element.children {
            switch child.name {
            case DAVName.calendar("is-not-defined"): isUndefined = true
            case DAVName.calendar("time-range"): range = try CalendarRange(child)
            case DAVName.calendar("prop-filter"): properties.append(try CalendarFilter.PropertyFilter(child))
            case DAVName.calendar("comp-filter"): components.append(try Self(child))
            default: throw CalendarFilter.unsupported
            }
        }
    }

    /// Whether a component is in a range. For a calendar the standard has no range; some clients mean anything that is in it.
    private func isIn(
        _ range: CalendarRange, _ component: ICalComponent, in parent: ICalComponent?, _ zones: CalendarZones
    ) -> Bool {
        guard component.name == "VCALENDAR" else { return range.contains(component, in: parent, zones) }
        return component.components.contains { $0.name != "VTIMEZONE" && range.contains($0, in: component, zones) }
    }

    /// Whether one of `siblings`, the components in `parent`, passes.
    fileprivate func matches(_ siblings: [ICalComponent], in parent: ICalComponent?, _ zones: CalendarZones) -> Bool {
        let found = siblings.filter { $0.name == name }
        if isUndefined { return found.isEmpty }
        return found.contains { component in
            (range.map { isIn($0, component, in: parent, zones) } ?? true)
                && properties.allSatisfy { $0.matches(component, zones) }
                && components.allSatisfy { $0.matches(component.components, in: component, zones) }
        }
    }
}

extension CalendarFilter.PropertyFilter {
    fileprivate init(_ element: XMLElement) throws(DAVFailure) {
        guard let name = element.attributes[XMLName("", "name")] else { throw CalendarFilter.invalid }
        self.name = name.uppercased()
        for child in element.children {
            switch child.name {
            case DAVName.calendar("is-not-defined"): isUndefined = true
            case DAVName.calendar("time-range"): range = try CalendarRange(child)
            case DAVName.calendar("text-match"): text = try TextMatch(child, .calendar)
            case DAVName.calendar("param-filter"):
                guard let name = child.attributes[XMLName("", "name")] else { throw CalendarFilter.invalid }
                var parameter = CalendarFilter.ParameterFilter(name: name.uppercased())
                parameter.isUndefined = child.child(DAVName.calendar("is-not-defined")) != nil
                if let match = child.child(DAVName.calendar("text-match")) {
                    parameter.text = try TextMatch(match, .calendar)
                }
                parameters.append(parameter)
            default: throw CalendarFilter.unsupported
            }
        }
    }

    fileprivate func matches(_ component: ICalComponent, _ zones: CalendarZones) -> Bool {
        let found = component.all(name)
        if isUndefined { return found.isEmpty }
        return found.contains { property in
            (range.map { $0.contains(property, zones) } ?? true)
                && (text.map { $0.matches([property.text] + property.texts) } ?? true)
                && parameters.allSatisfy { $0.matches(property) }
        }
    }
}

extension CalendarFilter.ParameterFilter {
    fileprivate func matches(_ property: ICalProperty) -> Bool {
        let values = property.parameters.filter { $0.name.uppercased() == name }.map(\.value)
        if isUndefined { return values.isEmpty }
        guard let text else { return !values.isEmpty }
        return text.matches(values)
    }
}
