import HTTPClient
import Sync

extension RemoteError {
    /// Creates the error for a failed HTTP request.
    init(_ error: HTTPError) {
        switch error {
        case .tlsRefused: self = .untrusted(reason: error.description, certificate: nil)
        case .bodyTooLarge, .headersTooLarge, .invalidResponse: self = .malformed(reason: error.description)
        case .redirectRefused, .outOfScope, .invalidRequest, .libraryMissing: self = .refused(reason: error.description)
        case .unreachable, .timedOut, .connectionLost, .cancelled, .closed:
            self = .unreachable(reason: error.description)
        }
    }

    /// Creates the error for an unexpected response.
    init(_ refusal: DAVRefusal) {
        switch refusal.status {
        case 404, 410: self = .notFound(reason: refusal.reason)
        case 200..<300: self = .malformed(reason: "this is not a WebDAV resource (\(refusal.reason))")
        default: self = .refused(reason: refusal.reason)
        }
    }
}
