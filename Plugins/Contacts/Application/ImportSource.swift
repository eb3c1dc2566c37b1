/// Where cards are read from: a file, standard input, the body of a request.
package struct ImportSource: Sendable {
    /// What a person calls it, such as `people.vcf`.
    package let name: String
    /// The next bytes, any number of them; nil at the end.
    package let next: @Sendable () async throws -> [UInt8]?

    package init(_ name: String, next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.name = name
        self.next = next
    }
}
