import CCurl

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

extension HTTPError {
    /// Creates the error for libcurl's result `code` of a request to `url`; `text` is libcurl's message.
    init(_ code: CURLcode, _ text: String, at url: HTTPURL, limit: Int) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED,
            CURLE_PROXY:
            self = .unreachable(text)
        // Idle and total time are kept by this face; libcurl watches the connecting alone.
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut(.connect)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_ENGINE_INITFAILED:
            self = .tlsRefused(TLSRefusal(at: url, reason: text))
        case CURLE_SSL_PINNEDPUBKEYNOTMATCH: self = .tlsRefused(TLSRefusal(.changed, at: url, reason: text))
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM,
            CURLE_SEND_FAIL_REWIND, CURLE_AGAIN:
            self = .connectionLost(text)
        case CURLE_FILESIZE_EXCEEDED: self = .bodyTooLarge(limit: limit)
        case CURLE_URL_MALFORMAT, CURLE_BAD_FUNCTION_ARGUMENT: self = .invalidRequest(text)
        default: self = .invalidResponse(text)
        }
    }
}
