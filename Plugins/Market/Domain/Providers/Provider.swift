/// A source of prices, by its name. Which there are, and what they are like, is known outside of the domain.
package struct Provider: Hashable, Sendable {
    /// The name, as the config file has it.
    package let rawValue: String

    package init(name: String) { rawValue = name }
}
