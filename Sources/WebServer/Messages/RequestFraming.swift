/// How the length of a request's body is given (RFC 9112, section 6).
enum RequestFraming: Equatable {
    /// The body has that many bytes; without a field, none.
    case length(Int)
    case chunked
    /// Two readers could disagree about where the request ends, or the body is larger than any.
    case refused(status: Int, String)

    /// Reads the framing from all header fields of a request.
    init(_ headers: HTTPHeaders) {
        guard headers.fields.allSatisfy(\.name.isHTTPToken) else {
            self = .refused(status: 400, "The name of a header field cannot be read.")
            return
        }
        let (lengths, codings) = (headers.values("Content-Length"), headers.values("Transfer-Encoding"))
        if let coding = codings.first {
            if codings.count > 1 || !lengths.isEmpty {
                self = .refused(status: 400, "The length of the request is given twice.")
            } else if coding.equalsIgnoringASCIICase("chunked") {
                self = .chunked
            } else {
                self = .refused(status: 501, "The server reads no other transfer coding than chunked.")
            }
        } else if let length = lengths.first {
            if lengths.count > 1 {
                self = .refused(status: 400, "The length of the request is given twice.")
            } else if length.isEmpty || !length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
                self = .refused(status: 400, "The length of the request cannot be read.")
            } else if let length = Int(length) {
                self = .length(length)
            } else {
                self = .refused(status: 413, "The request is too large.")
            }
        } else {
            self = .length(0)
        }
    }
}
