import ContentLines
import ICalendar
import XML

/// The components and properties of a calendar that a client wants (RFC 4791 §9.6).
struct CalendarParts {
    private let name: String
    /// The properties in upper case, and whether their values are left out; nil for all.
    private let properties: [String: Bool]?
    /// The components; nil for all.
    private let components: [CalendarParts]?

    /// Reads `comp`.
    init(_ element: XMLElement) {
        name = element.attributes[XMLName("", "name")]?.uppercased() ?? ""
        let isWhole = element.children.isEmpty
        let props = element.children(DAVName.calendar("prop"))
        properties =
            isWhole || element.child(DAVName.calendar("allprop")) != nil
            ? nil
            : Dictionary(
                props.compactMap { prop in
                    prop.attributes[XMLName("", "name")].map {
                        ($0.uppercased(), prop.attributes[XMLName("", "novalue")] == "yes")
                    }
                }, uniquingKeysWith: { first, _ in first })
        components =
            isWhole || element.child(DAVName.calendar("allcomp")) != nil
            ? nil : element.children(DAVName.calendar("comp")).map { CalendarParts($0) }
    }

    /// The calendar with these parts alone; whole if it cannot be read.
    func only(_ content: [UInt8]) -> [UInt8] {
        guard let calendars = try? ICalReader.read(content, limits: .item) else { return content }
        return calendars.map { $0.name == name ? only($0) : $0 }.flatMap(ICalWriter.write)
    }

    private func only(_ component: ICalComponent) -> ICalComponent {
        var result = component
        if let properties {
            result.properties = component.properties.compactMap { property in
                properties[property.name.uppercased()].map { isBare in
                    isBare ? ICalProperty(property.name, property.parameters, value: "") : property
                }
            }
        }
        if let components {
            result.components = component.components.compactMap { inner in
                components.first { $0.name == inner.name }.map { $0.only(inner) }
            }
        }
        return result
    }
}
