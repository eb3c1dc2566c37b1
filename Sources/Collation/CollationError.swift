/// An error of collation, transliteration or decoding with ICU.
package enum CollationError: Error, Equatable {
    /// The ICU library is not installed or lacks a function; the text is the loader's.
    case libraryMissing(String)
    /// ICU refused to open or use a service; the text is ICU's own name of the error.
    case refused(String)
}

extension CollationError: CustomStringConvertible {
    /// A message that names the failed ICU call.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "ICU cannot be loaded: \(reason)"
        case .refused(let name): "ICU error: \(name)"
        }
    }
}
