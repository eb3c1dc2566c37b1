package import Commands
package import Sync

/// A collection that a plugin offers to devices such as phones; HubRuntime serves it (docs/devices.md).
package struct CollectionDeclaration: Sendable {
    /// The kind of a collection, by which devices know what it holds.
    package enum Kind: Sendable {
        /// Contacts as vCards, served by CardDAV.
        case addressBook
        /// To-dos, served by CalDAV.
        case tasks
        /// Events, served by CalDAV beside the tasks.
        case events
    }

    /// The kind.
    package let kind: Kind
    /// The collection's word in its address, which must never change.
    package let id: String
    /// The name that people see on the device.
    package let title: String
    /// Whether devices can only read it.
    package let isReadOnly: Bool
    /// Returns the collection.
    package let open: @Sendable (any PluginHost) throws -> any ServedCollection

    /// Returns the books of an address book, for devices that see each by itself; nil for none.
    package let books: (@Sendable (any PluginHost) throws -> any ServedBooks)?

    /// Creates the declaration of a collection of the plugin `P`.
    package init<P: Plugin>(
        _ kind: Kind, id: String, title: String, isReadOnly: Bool = false,
        open: @escaping @Sendable (P) throws -> any ServedCollection,
        books: (@Sendable (P) throws -> any ServedBooks)? = nil
    ) {
        self.kind = kind
        self.id = id
        self.title = title
        self.isReadOnly = isReadOnly
        self.open = { host in try open(host.plugin(P.self)) }
        if let books {
            self.books = { host in try books(host.plugin(P.self)) }
        } else {
            self.books = nil
        }
    }
}
