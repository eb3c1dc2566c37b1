/// A postal address (vCard `ADR`), with its label.
package struct PostalAddress: Hashable, Sendable {
    /// The label, such as `home`; may be empty.
    package var label = ""
    /// Post office box.
    package var postOfficeBox = ""
    /// Flat, floor or building.
    package var extended = ""
    /// Street and number; may have several lines.
    package var street = ""
    /// Town.
    package var locality = ""
    /// State, province or district.
    package var region = ""
    /// Postal code.
    package var postalCode = ""
    /// Country name.
    package var country = ""

    package init() {}

    /// An address of parts in the order of vCard; missing ones are empty.
    package init(label: String, parts: [String]) {
        func part(_ index: Int) -> String { index < parts.count ? parts[index] : "" }
        self.label = label
        (postOfficeBox, extended, street) = (part(0), part(1), part(2))
        (locality, region, postalCode, country) = (part(3), part(4), part(5), part(6))
    }

    /// Whether all parts are empty.
    package var isEmpty: Bool {
        street.isEmpty && locality.isEmpty && postalCode.isEmpty && country.isEmpty && region.isEmpty
            && postOfficeBox.isEmpty && extended.isEmpty
    }

    /// The parts in the order of vCard.
    package var parts: [String] { [postOfficeBox, extended, street, locality, region, postalCode, country] }

    /// The lines as on an envelope, without empty ones.
    package var lines: [String] {
        let town = [postalCode, locality].filter { !$0.isEmpty }.joined(separator: " ")
        return ([postOfficeBox, extended] + street.split(separator: "\n").map(String.init) + [town, region, country])
            .filter { !$0.isEmpty }
    }

    /// The address on one line.
    package var formatted: String { lines.joined(separator: ", ") }
}
