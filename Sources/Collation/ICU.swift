import CICU

/// The lazily loaded ICU library: nothing of it is mapped before the first call that needs it.
enum ICU {
    /// The table of ICU's functions, which lives as long as the process.
    typealias Functions = UnsafePointer<lazy_icu>

    /// ICU's functions, or nil with the reason in `loadingError()` when the library cannot be loaded.
    static var functions: Functions? { lazy_icu_load(nil) }

    /// The version of the loaded library, such as `72.1.0.0`.
    static func version(_ functions: Functions) -> String {
        text(of: functions.pointee.u_getVersion)
    }

    /// ICU's four version bytes, joined with dots.
    static func text(of fill: (UnsafeMutablePointer<UInt8>) -> Void) -> String {
        var bytes: [UInt8] = [0, 0, 0, 0]
        fill(&bytes)
        return bytes.map { String($0) }.joined(separator: ".")
    }

    /// The typed error of an ICU status code.
    static func error(_ status: UErrorCode, _ functions: Functions) -> CollationError {
        .refused(functions.pointee.u_errorName(status).map { String(cString: $0) } ?? "error \(status.rawValue)")
    }

    /// The typed error of a library that cannot be loaded, or nil when it can.
    static func loadingError() -> CollationError? {
        var reason: UnsafePointer<CChar>?
        guard lazy_icu_load(&reason) == nil else { return nil }
        return .libraryMissing(reason.map { String(cString: $0) } ?? "")
    }
}

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
