import CCurl

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
