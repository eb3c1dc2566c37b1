package import Commands

/// A password typed by the user, or its source.
package enum PasswordInput: Equatable, Sendable {
    /// Typed just now; it goes into the keyring.
    case typed(String)
    /// Granted by a sign-in just now; it goes into the keyring too, which nothing can stand in for.
    case granted(String)
    /// Kept elsewhere already.
    case source(SecretSource)
    /// The account has none.
    case none
}

/// A password that is used no more and that the keyring could not remove, because it is locked or not there.
package struct RemainingPassword: Sendable {
    /// The name of the account that it belonged to.
    package let account: String
    /// Where it is.
    package let entry: KeyringEntry
    /// Why it could not be removed.
    package let reason: HubError

    /// The command that removes it once the keyring can be used.
    package var command: String { "hub secrets rm " + ShellWords.quote(entry.description) }

    /// The message for the user.
    package var note: Diagnostic {
        .warning(
            "the password of \(account) may still be in the keyring: \(reason.details.first ?? reason.message)",
            code: "password-remains", hint: command)
    }
}

extension Output {
    /// The same output with a warning about a password that remains, if there is one; then the command is done in part.
    package func noting(_ remaining: RemainingPassword?) -> Output {
        guard let remaining else { return self }
        var output = noting(remaining.note)
        output.exit = .partly
        return output
    }
}
