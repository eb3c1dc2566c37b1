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

/// The head of an answer, line by line as it comes.
struct ResponseHead {
    /// The maximum number of bytes of all headers of one response, including interim ones.
    static let limit = 256 << 10

    private(set) var status = 0
    private(set) var headers = HTTPHeaders()
    /// Whether the empty line came that ends a head.
    private(set) var isComplete = false
    private var size = 0

    /// Takes in one line with its end; false when the head grows too large.
    mutating func add(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
        size += line.count
        guard size <= ResponseHead.limit else { return false }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            // An interim answer (1xx), or one that asks for a proof, came before.
            headers = HTTPHeaders()
            isComplete = false
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0.prefix(3)) } ?? 0
            return true
        }
        let field = ResponseHead.trimmed(text)
        if field.isEmpty {
            isComplete = true
        } else if line.first == 0x20 || line.first == 0x09 {
            headers.extendLast(field)
        } else if let colon = field.utf8.firstIndex(of: UInt8(ascii: ":")) {
            headers.append(String(field[..<colon]), ResponseHead.trimmed(field[field.utf8.index(after: colon)...]))
        }
        return true
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let bytes = Array(text.utf8)
        guard let start = bytes.firstIndex(where: { $0 > 0x20 }), let end = bytes.lastIndex(where: { $0 > 0x20 }) else {
            return ""
        }
        return String(decoding: bytes[start...end], as: UTF8.self)
    }
}
