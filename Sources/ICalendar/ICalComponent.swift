/// A component of a calendar: the lines between `BEGIN` and `END` (RFC 5545 §3.6).
package struct ICalComponent: Hashable, Sendable {
    /// Its name in capital letters: `VCALENDAR`, `VTODO`.
    package let name: String
    /// Its properties, in their order.
    package var properties: [ICalProperty]
    /// The components inside of it, in their order.
    package var components: [ICalComponent]
    /// In which line of the text it begins; 0 for one that was not read.
    package let line: Int

    /// Creates a component; `name` is in upper case, such as `VEVENT`.
    package init(
        _ name: String, _ properties: [ICalProperty] = [], components: [ICalComponent] = [], line: Int = 0
    ) {
        self.name = name.uppercased()
        self.properties = properties
        self.components = components
        self.line = line
    }

    /// The first property with this name.
    package subscript(name: String) -> ICalProperty? { properties.first { $0.isNamed(name) } }

    /// All properties with this name.
    package func all(_ name: String) -> [ICalProperty] { properties.filter { $0.isNamed(name) } }

    /// The lines that are not properties; they are kept and written back.
    package var unreadable: [String] { properties.filter(\.name.isEmpty).map(\.value) }

    /// Puts `property` in the place of the first with its name, and takes out the others; without one it goes to the end.
    package mutating func set(_ property: ICalProperty) {
        guard let index = properties.firstIndex(where: { $0.isNamed(property.name) }) else {
            return properties.append(property)
        }
        properties[index] = property
        let rest = properties[(index + 1)...].filter { !$0.isNamed(property.name) }
        properties.replaceSubrange((index + 1)..., with: rest)
    }

    /// Takes out all properties with this name.
    package mutating func remove(_ name: String) { properties.removeAll { $0.isNamed(name) } }
}
