import HTTPClient
import Links

extension LinkError {
    /// A failure below HTTP, or of it.
    init(_ error: HTTPError) {
        switch error {
        case .tlsRefused: self = .untrusted(reason: error.description, certificate: nil)
        case .bodyTooLarge, .headersTooLarge, .invalidResponse: self = .malformed(reason: error.description)
        case .redirectRefused, .outOfScope, .invalidRequest, .libraryMissing: self = .refused(reason: error.description)
        case .unreachable, .timedOut, .connectionLost, .cancelled, .closed:
            self = .unreachable(reason: error.description)
        }
    }

    /// An answer that is not the one that was asked for.
    init(_ refusal: DAVRefusal) {
        switch refusal.status {
        case 404, 410: self = .notFound(reason: refusal.reason)
        case 200..<300: self = .malformed(reason: "the server speaks no WebDAV here (\(refusal.reason))")
        default: self = .refused(reason: refusal.reason)
        }
    }
}
