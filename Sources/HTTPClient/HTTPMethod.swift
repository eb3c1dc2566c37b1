/// A request method (RFC 9110 §9): a token in capitals, as it is sent.
package struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method's name.
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }

    /// Read it.
    package static let get = HTTPMethod(rawValue: "GET")
    /// Read what is said about it.
    package static let head = HTTPMethod(rawValue: "HEAD")
    /// Ask what may be done.
    package static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Do with it what it does.
    package static let post = HTTPMethod(rawValue: "POST")
    /// Put this in its place.
    package static let put = HTTPMethod(rawValue: "PUT")
    /// Remove it.
    package static let delete = HTTPMethod(rawValue: "DELETE")
}
