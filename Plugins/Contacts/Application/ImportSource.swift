package import ContactsDomain

/// Where cards are read from: a file, a folder of files, standard input, the body of a request.
package struct ImportSource: Sendable {
    /// What a person calls it, such as `people.vcf`.
    package let name: String
    /// The format; nil when its first bytes are to tell.
    package var format: ImportFormat?
    /// The next bytes, any number of them; nil at the end, and at the end of each part.
    package let next: @Sendable () async throws -> [UInt8]?
    /// Moves on to the next file of several and tells its name; nil when there is none.
    package let nextPart: @Sendable () async throws -> String?

    package init(
        _ name: String, format: ImportFormat? = nil, next: @escaping @Sendable () async throws -> [UInt8]?,
        nextPart: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        self.name = name
        self.format = format
        self.next = next
        self.nextPart = nextPart
    }
}
