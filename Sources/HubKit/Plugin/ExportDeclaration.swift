package import Commands
package import Storage

/// What `hub export` writes of a plugin, and `hub import` reads.
package struct ExportDeclaration: Sendable {
    /// The folder of the plugin in words, for the page that explains the export; Markdown in a cell of a table.
    package let layout: String
    /// The kinds of items, in the order in which they can be inserted.
    package let kinds: [ExportKind]
    /// Files for other programs and for people, which are not read back.
    package let views: @Sendable (any PluginHost) async throws -> [ExportFile]

    package init(
        _ layout: String, _ kinds: [ExportKind],
        views: @escaping @Sendable (any PluginHost) async throws -> [ExportFile] = { _ in [] }
    ) {
        self.layout = layout
        self.kinds = kinds
        self.views = views
    }
}

/// A kind of items in an export: rows of tables, and the files with the contents that people have in files.
///
/// What a file holds is nowhere else: the content of a card is in its `.vcf`, and not among the rows.
package struct ExportKind: Sendable {
    /// The plural noun, such as `contacts`; the list of the items is named after it.
    package let name: String
    /// The tables, that which each item has a row of first.
    package let tables: [ExportTable]
    /// Whether an item that is here already is as good as that of an export, since both were fetched from elsewhere.
    package let isFetched: Bool
    /// Returns the files of an item.
    package let files: @Sendable (ItemRows, Transaction) throws -> [ExportFile]
    /// Inserts an item with the contents of its files by their roles; the blobs are stored already.
    package let insert: @Sendable (ItemRows, [String: [UInt8]], Transaction) throws -> Void

    /// Creates the description. Without closures, an item has no files and its rows are all there is of it.
    package init(
        _ name: String, _ tables: [ExportTable], isFetched: Bool = false,
        files: @escaping @Sendable (ItemRows, Transaction) throws -> [ExportFile] = { _, _ in [] },
        insert: (@Sendable (ItemRows, [String: [UInt8]], Transaction) throws -> Void)? = nil
    ) {
        self.name = name
        self.tables = tables
        self.isFetched = isFetched
        self.files = files
        self.insert =
            insert ?? { item, _, transaction in
                try transaction.insertItem(item, in: tables)
                try transaction.reindexItems([item.id])
            }
    }
}

extension ExportKind {
    /// Returns the error for an item without a part that it must have.
    package static func missing(_ part: String, of id: String) -> HubError {
        HubError(.invalid, code: "export-damaged", "the \(part) of \(id) is missing or unreadable")
    }
}

/// A file of an export.
package struct ExportFile: Sendable {
    /// The content of a file.
    package enum Content: Sendable {
        /// These bytes, the first `head` of which are for readers of the file and not part of the item.
        case bytes([UInt8], head: Int = 0)
        /// A blob.
        case blob(BlobID)
        /// What a use case writes into the file at a path.
        case made(@Sendable (any PluginHost, _ path: String) async throws -> Void)
    }

    /// The part of the item that the file holds, such as `card`; nil for a file that is not read back.
    package let role: String?
    /// The wanted path below the folder of the plugin. Names that are not safe everywhere are changed.
    package let path: String
    /// The content.
    package let content: Content

    package init(_ role: String?, _ path: String, _ content: Content) {
        self.role = role
        self.path = path
        self.content = content
    }

    /// A text that is not read back.
    package static func view(_ path: String, _ text: String) -> ExportFile {
        ExportFile(nil, path, .bytes(Array(text.utf8)))
    }
}
