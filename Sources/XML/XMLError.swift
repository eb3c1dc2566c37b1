/// An error while reading a document.
package enum XMLError: Error, Hashable, Sendable {
    /// libxml2 could not be loaded; the loader's text.
    case libraryMissing(String)
    /// The document breaks a rule of XML, its encoding or its namespaces.
    case malformed(line: Int, reason: String)
    /// It declares a document type. Data needs none, and entities that grow without end come in one.
    case documentTypeRefused
    /// It is larger than allowed, in bytes.
    case tooLarge(limit: Int)
    /// Elements are nested deeper than allowed.
    case tooDeep(limit: Int)
    /// There are more elements than allowed.
    case tooManyElements(limit: Int)
    /// There are more attributes than allowed, in all elements together.
    case tooManyAttributes(limit: Int)
    /// One tag or comment is too long, or has too many attributes.
    case markupTooLong
    /// No memory was left.
    case noMemory
}

extension XMLError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libxml2 cannot be loaded: \(reason)"
        case .malformed(let line, let reason): "not well-formed XML in line \(line): \(reason)"
        case .documentTypeRefused: "the XML declares a document type, which is not allowed"
        case .tooLarge(let limit): "the XML is larger than \(limit) bytes"
        case .tooDeep(let limit): "the XML is nested deeper than \(limit) elements"
        case .tooManyElements(let limit): "the XML has more than \(limit) elements"
        case .tooManyAttributes(let limit): "the XML has more than \(limit) attributes"
        case .markupTooLong: "the XML has a tag or a comment that is too long"
        case .noMemory: "out of memory"
        }
    }
}
