/// A cookie that only this server reads: not scripts (`HttpOnly`), and not on the way from other sites
/// (`SameSite=Strict`) (RFC 6265bis §4.1).
package struct SetCookie: Sendable {
    /// The cookie's name, a token of RFC 9110.
    package var name: String
    /// The cookie's value, in letters, digits and `-._~`.
    package var value: String
    /// Seconds until it goes; zero removes it.
    package var maxAge: Int
    /// Whether it is sent over TLS only.
    package var isSecure: Bool

    package init(name: String, value: String, maxAge: Int, isSecure: Bool = false) {
        self.name = name
        self.value = value
        self.maxAge = maxAge
        self.isSecure = isSecure
    }

    /// The value of the `Set-Cookie` field.
    package var field: String {
        "\(name)=\(value); Path=/; Max-Age=\(maxAge); HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }
}
