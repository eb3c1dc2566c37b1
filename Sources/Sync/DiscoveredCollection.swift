/// A collection as its server describes it.
package struct DiscoveredCollection: Hashable, Sendable {
    /// Its address.
    package let href: String
    /// The display name.
    package let name: String
    /// Whether nothing may be changed in it.
    package let isReadOnly: Bool
    /// The versions of vCard, or the components of iCalendar such as `VTODO`, that it takes; empty when it does not say.
    package let supported: Set<String>
    /// The longest item it takes, in bytes; nil when it does not say.
    package let maximumItemSize: Int?

    package init(
        href: String, name: String, isReadOnly: Bool = false, supported: Set<String> = [], maximumItemSize: Int? = nil
    ) {
        self.href = href
        self.name = name
        self.isReadOnly = isReadOnly
        self.supported = supported
        self.maximumItemSize = maximumItemSize
    }
}
