/// A user's name and password for one server.
package struct HTTPCredentials: Hashable, Sendable {
    /// The HTTP authentication scheme.
    package enum Scheme: Hashable, Sendable {
        /// Sent with the first request (RFC 7617).
        case basic
        /// Never sent; each request is answered with a challenge first (RFC 7616).
        case digest
    }

    /// The user name; with ``Scheme/basic`` it must not contain a colon (RFC 7617 §2).
    package var user: String
    /// The password or token.
    package var password: String
    /// The authentication scheme.
    package var scheme: Scheme

    package init(user: String, password: String, scheme: Scheme = .basic) {
        self.user = user
        self.password = password
        self.scheme = scheme
    }
}

extension HTTPCredentials: CustomStringConvertible, CustomDebugStringConvertible {
    /// The user alone: a password belongs into no log.
    package var description: String { user }
    /// The user name, never the password.
    package var debugDescription: String { user }
}
