package import ContactsDomain

/// A source of cards: a file, a folder of files, standard input, or a request body.
package struct ImportSource: Sendable {
    /// The display name, such as `people.vcf`.
    package let name: String
    /// The format; nil to detect it from the first bytes.
    package var format: ImportFormat?
    /// Returns the next bytes, any number of them; nil at the end, and at the end of each part.
    package let next: @Sendable () async throws -> [UInt8]?
    /// Moves on to the next of several files; nil at the end.
    package let nextPart: @Sendable () async throws -> Part?
    /// Messages about skipped files.
    package let notes: [String]

    /// A file of several.
    package enum Part: Sendable {
        /// A file with this name, whose bytes follow.
        case file(String)
        /// A file that cannot be read.
        case problem(InputProblem)
    }

    /// Creates a source; `next` returns its bytes chunk by chunk, `nextPart` opens the next of several files.
    package init(
        _ name: String, format: ImportFormat? = nil, next: @escaping @Sendable () async throws -> [UInt8]?,
        nextPart: @escaping @Sendable () async throws -> Part? = { nil }, notes: [String] = []
    ) {
        self.name = name
        self.format = format
        self.next = next
        self.nextPart = nextPart
        self.notes = notes
    }
}

/// A file to import, opened on demand.
package struct ImportFile: Sendable {
    /// The display name.
    package let name: String
    /// Opens the file. Throws if it cannot be read.
    package let open: @Sendable () async throws -> ImportSource

    package init(_ name: String, open: @escaping @Sendable () async throws -> ImportSource) {
        self.name = name
        self.open = open
    }
}
