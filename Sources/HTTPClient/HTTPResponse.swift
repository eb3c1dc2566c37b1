/// The response of a server.
package struct HTTPResponse: Hashable, Sendable {
    /// The status code (RFC 9110 §15).
    package var status: Int
    /// The header fields of the final response.
    package var headers: HTTPHeaders
    /// The whole body, decompressed.
    package var body: [UInt8]
    /// The URL of the response, after all redirects.
    package var url: HTTPURL

    package init(status: Int, headers: HTTPHeaders = HTTPHeaders(), body: [UInt8] = [], url: HTTPURL) {
        self.status = status
        self.headers = headers
        self.body = body
        self.url = url
    }

    /// Whether the status is 2xx.
    package var isSuccess: Bool { (200..<300).contains(status) }
}
