package import HTTPClient
package import Sync

extension RemoteError {
    /// Creates the error for a failed request.
    package init(_ error: HTTPError) {
        switch error {
        case .tlsRefused: self = .untrusted(reason: error.description, certificate: nil)
        case .bodyTooLarge, .headersTooLarge, .invalidResponse: self = .malformed(reason: error.description)
        case .redirectRefused, .outOfScope, .invalidRequest: self = .refused(reason: error.description)
        case .unreachable, .timedOut, .connectionLost, .cancelled, .closed, .libraryMissing:
            self = .unreachable(reason: error.description)
        }
    }

    /// Creates the error that the status of a response stands for (RFC 9110 §15); nil for a success.
    package init?(_ response: HTTPResponse) {
        let reason = "\(response.url.host) responded with the status \(response.status)"
        switch response.status {
        case 200..<300: return nil
        case 401, 403, 407: self = .denied(reason: reason)
        case 404, 410: self = .notFound(reason: reason)
        case 423, 425, 429, 503:
            self = .busy(retryAfter: response.headers["Retry-After"].flatMap { Int($0) }.map { max(0, $0) })
        case 502, 504, 520...530: self = .unreachable(reason: reason)
        case 500...599: self = .serverError(reason: reason)
        default: self = .refused(reason: reason)
        }
    }
}

extension HTTPClient {
    /// Sends `request` and returns the response, if its status is a success.
    package func succeed(_ request: HTTPRequest) async throws(RemoteError) -> HTTPResponse {
        let response: HTTPResponse
        do { response = try await send(request) } catch { throw RemoteError(error) }
        if let error = RemoteError(response) { throw error }
        return response
    }
}
