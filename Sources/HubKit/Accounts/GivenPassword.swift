/// A password that a person gives, or where it is to be read from.
package enum GivenPassword: Sendable {
    /// Typed just now; it goes into the keyring.
    case typed(String)
    /// Kept elsewhere already.
    case source(SecretSource)
    /// The account has none.
    case none
}
