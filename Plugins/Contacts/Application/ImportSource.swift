package import ContactsDomain

/// Where cards are read from: a file, a folder of files, standard input, the body of a request.
package struct ImportSource: Sendable {
    /// What a person calls it, such as `people.vcf`.
    package let name: String
    /// The format; nil when its first bytes are to tell.
    package var format: ImportFormat?
    /// The next bytes, any number of them; nil at the end, and at the end of each part.
    package let next: @Sendable () async throws -> [UInt8]?
    /// Moves on to the next file of several; nil when there is none.
    package let nextPart: @Sendable () async throws -> Part?
    /// What was passed over, in words for a person.
    package let notes: [String]

    /// A file among several.
    package enum Part: Sendable {
        /// Its bytes follow, under this name.
        case file(String)
        /// It cannot be read.
        case problem(InputProblem)
    }

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

/// What an import is to read, opened when its turn comes.
package struct ImportFile: Sendable {
    /// What a person calls it.
    package let name: String
    /// Opens it; throws when it cannot be read.
    package let open: @Sendable () async throws -> ImportSource

    package init(_ name: String, open: @escaping @Sendable () async throws -> ImportSource) {
        self.name = name
        self.open = open
    }
}
