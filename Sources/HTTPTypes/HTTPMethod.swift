/// A request method (RFC 9110 §9), as it is sent: methods are case-sensitive.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Read it (RFC 9110 §9.3.1).
    package static let get = HTTPMethod(rawValue: "GET")
    /// Read what is said about it (§9.3.2).
    package static let head = HTTPMethod(rawValue: "HEAD")
    /// Do with it what it does (§9.3.3).
    package static let post = HTTPMethod(rawValue: "POST")
    /// Put this in its place (§9.3.4).
    package static let put = HTTPMethod(rawValue: "PUT")
    /// Change a part of it (RFC 5789).
    package static let patch = HTTPMethod(rawValue: "PATCH")
    /// Remove it (§9.3.5).
    package static let delete = HTTPMethod(rawValue: "DELETE")
    /// Ask what may be done (§9.3.7).
    package static let options = HTTPMethod(rawValue: "OPTIONS")

    /// Whether a request with this method asks to change nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { self == .get || self == .head || self == .options }

    /// Whether it can be sent: a token (RFC 9110 §9.1).
    package var isValid: Bool { rawValue.isHTTPToken }
}
