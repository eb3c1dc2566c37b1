/// A token across providers: an id, and the catalogue that the id is of. Providers that share a catalogue share their ids.
package struct TokenKey: Hashable, Sendable {
    /// A set of ids, by its name.
    package struct Catalogue: Hashable, Sendable {
        /// The name.
        package let rawValue: String

        package init(name: String) { rawValue = name }
    }

    /// The catalogue.
    package let catalogue: Catalogue
    /// The id in it.
    package let id: String

    package init(_ catalogue: Catalogue, _ id: String) {
        self.catalogue = catalogue
        self.id = id
    }
}
