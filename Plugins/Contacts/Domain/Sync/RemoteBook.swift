/// An address book as its server or folder describes it.
package struct RemoteBook: Hashable, Sendable {
    /// The path in the account.
    package let href: String
    /// The display name.
    package let name: String
    /// Whether it is read-only.
    package let isReadOnly: Bool
    /// The accepted vCard versions, such as `3.0`; empty if unknown.
    package let versions: Set<String>
    /// The maximum size of a card in bytes; nil if unknown.
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
