/// An error that prevented a complete response.
package enum HTTPError: Error, Hashable, Sendable {
    /// libcurl could not be loaded; the loader's text.
    case libraryMissing(String)
    /// The request violates a rule of HTTP, which is given.
    case invalidRequest(String)
    /// The host is not known, or does not accept connections; the reason.
    case unreachable(String)
    /// A deadline passed.
    case timedOut(Phase)
    /// The server's identity could not be verified, or its TLS is not acceptable.
    case tlsRefused(TLSRefusal)
    /// The connection broke before the answer was whole; the reason.
    case connectionLost(String)
    /// The body is larger than allowed, in bytes.
    case bodyTooLarge(limit: Int)
    /// The head of the answer is larger than allowed, in bytes.
    case headersTooLarge(limit: Int)
    /// The response is not valid HTTP or has an invalid encoding; the reason.
    case invalidResponse(String)
    /// The request would go to a server that it may not reach; the address.
    case outOfScope(String)
    /// A redirect that is not followed.
    case redirectRefused(RedirectRefusal)
    /// The task that waited was cancelled.
    case cancelled
    /// The client was closed.
    case closed

    /// The phase of a request that exceeded its time limit.
    package enum Phase: String, Hashable, Sendable {
        case connect, idle, total
    }
}

extension HTTPError: CustomStringConvertible {
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .libraryMissing(let reason): "libcurl cannot be loaded: \(reason)"
        case .invalidRequest(let rule): "invalid request: \(rule)"
        case .unreachable(let reason): reason
        case .timedOut(.connect): "the connection timed out"
        case .timedOut(.idle): "the server stopped responding"
        case .timedOut(.total): "the response took too long"
        case .tlsRefused(let refusal): refusal.description
        case .connectionLost(let reason): "the connection was lost: \(reason)"
        case .bodyTooLarge(let limit): "the response is larger than \(limit) bytes"
        case .headersTooLarge(let limit): "the header of the response is larger than \(limit) bytes"
        case .invalidResponse(let reason): "invalid response: \(reason)"
        case .outOfScope(let place): "\(place.prefix(200)) is on another server; nothing was sent there"
        case .redirectRefused(let refusal): refusal.description
        case .cancelled: "cancelled"
        case .closed: "the client is closed"
        }
    }
}
