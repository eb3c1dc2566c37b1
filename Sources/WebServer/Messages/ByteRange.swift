/// The part of a representation that a request asks for (RFC 9110 §14).
///
/// One range is served; a request for several gets the whole, which the standard allows.
package enum ByteRange: Hashable, Sendable {
    /// All bytes, status 200.
    case whole
    /// These bytes, status 206.
    case part(Range<Int>)
    /// No byte of the range exists, status 416.
    case unsatisfiable

    /// Reads `Range` and `If-Range` of a request for a representation of `length` bytes with the strong tag `tag`.
    package init(_ request: HTTPRequest, length: Int, tag: EntityTag) {
        let fields = request.headers.values("Range")
        // A range of another version would not fit to what the client has (§13.1.5). A date is never a strong validator here.
        let isSameVersion = request.headers["If-Range"].map { $0 == tag.field } ?? true
        guard request.method == .get, fields.count == 1, isSameVersion, let range = Self.read(fields[0], length) else {
            self = .whole
            return
        }
        self = range
    }

    /// `bytes=0-99`, `bytes=100-` or `bytes=-100`; nil for everything else, which is ignored.
    private static func read(_ field: String, _ length: Int) -> ByteRange? {
        let text = field.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
        guard text.starts(with: "bytes=".utf8) else { return nil }
        let ends = text.dropFirst(6).split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = number(ends[1]) else { return nil }
            return count == 0 || length == 0 ? .unsatisfiable : .part(max(0, length - count)..<length)
        case (false, let isOpen):
            guard let first = number(ends[0]), let last = isOpen ? Int.max - 1 : number(ends[1]), first <= last else {
                return nil
            }
            return first < length ? .part(first..<min(length, last + 1)) : .unsatisfiable
        }
    }

    /// A decimal number; a larger one than fits counts as the largest.
    private static func number(_ digits: some Collection<UInt8>) -> Int? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(0) { value, digit in
            value > (Int.max - 10) / 10 ? Int.max - 1 : value * 10 + Int(digit - 0x30)
        }
    }
}

extension HTTPResponse {
    /// A representation of known length that is read in pieces of at most `chunk` bytes, whole or in the range that `request`
    /// asks for.
    package static func content(
        length: Int, type: String, tag: EntityTag, chunk: Int, for request: HTTPRequest,
        read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]
    ) -> HTTPResponse {
        var headers: HTTPHeaders = [
            "Content-Type": type, "ETag": tag.field, "Accept-Ranges": "bytes", "Cache-Control": "private, no-cache",
        ]
        if request.holds(tag) { return HTTPResponse(status: 304, headers: headers) }
        let (status, range): (Int, Range<Int>)
        switch ByteRange(request, length: length, tag: tag) {
        case .whole: (status, range) = (200, 0..<length)
        case .part(let part):
            (status, range) = (206, part)
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(length)"
        case .unsatisfiable:
            headers["Content-Range"] = "bytes */\(length)"
            return HTTPResponse(status: 416, headers: headers)
        }
        var response = HTTPResponse(
            status: status, headers: headers,
            body: .stream { writer in
                var start = range.lowerBound
                while start < range.upperBound {
                    let end = min(start + chunk, range.upperBound)
                    try await writer.write(try await read(start..<end))
                    start = end
                }
            })
        response.streamLength = range.count
        return response
    }
}
