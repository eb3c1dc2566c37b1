/// An address book as its keeper, a server or a folder, describes it.
package struct RemoteBook: Hashable, Sendable {
    /// Where it is, as the keeper writes it.
    package let href: String
    /// What it is called.
    package let name: String
    /// Whether nothing may be changed in it.
    package let isReadOnly: Bool
    /// The versions of vCard that it takes, such as `3.0`; empty when it does not say.
    package let versions: Set<String>
    /// The longest card it takes, in bytes; nil when it does not say.
    package let maximumCardSize: Int?

    package init(
        href: String, name: String, isReadOnly: Bool = false, versions: Set<String> = [],
        maximumCardSize: Int? = nil
    ) {
        self.href = href
        self.name = name
        self.isReadOnly = isReadOnly
        self.versions = versions
        self.maximumCardSize = maximumCardSize
    }
}
