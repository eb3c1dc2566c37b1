/// A password typed by the user, or its source.
package enum PasswordInput: Sendable {
    /// Typed just now; it goes into the keyring.
    case typed(String)
    /// Kept elsewhere already.
    case source(SecretSource)
    /// The account has none.
    case none
}
