import Sync

extension RemoteError {
    /// Creates the error for an unexpected response.
    init(_ refusal: DAVRefusal) {
        switch refusal.status {
        case 404, 410: self = .notFound(reason: refusal.reason)
        case 200..<300: self = .malformed(reason: "this is not a WebDAV resource (\(refusal.reason))")
        default: self = .refused(reason: refusal.reason)
        }
    }
}
