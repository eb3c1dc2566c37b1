package import Commands
package import Sync

/// Documents that a plugin offers to devices as files, such as notes as Markdown; HubRuntime serves them by WebDAV
/// (docs/devices.md).
package struct FolderDeclaration: Sendable {
    /// The kind of documents, which is the first word of its address.
    package enum Kind: String, Sendable {
        /// Notes as Markdown files.
        case notes
        /// Records as sound files.
        case records
    }

    /// The kind.
    package let kind: Kind
    /// Returns the documents.
    package let open: @Sendable (any PluginHost) throws -> any ServedDocuments

    /// Creates the declaration of documents of the plugin `P`.
    package init<P: Plugin>(_ kind: Kind, open: @escaping @Sendable (P) throws -> any ServedDocuments) {
        self.kind = kind
        self.open = { host in try open(host.plugin(P.self)) }
    }
}
