import Commands
import HubKit

/// `hub secrets`: manage passwords and tokens in the keyring, which the config file names and never holds. A secret is
/// never shown, and never typed as a word of the command line, where the shell's history would keep it.
enum SecretsCommands {
    private static let name = Argument<String>(
        "NAME", help: "name of the entry, as in { keyring = \"NAME\" }",
        completion: .from(SecretManager.self) { manager, _ in
            try await manager.secrets.names().map { CompletionWord($0) }
        })
    private static let source = Arguments<String>("-", .optional, help: "read the secret from stdin")

    private static let fields = [Field<String>("name", "NAME", help: "name of the entry") { .text($0) }]

    static let command = Command(
        group: "secrets", aliases: ["secret"], summary: "manage passwords and tokens in the keyring", prominence: .full,
        view: "list", subcommands: [list, set, remove])

    private static let list = Command(
        "list", summary: "list the names of hub's keyring entries",
        examples: [
            Example("hub secrets list", "list the names"),
            Example("hub secrets list --plain", "print one per line, for a script"),
        ], fields: fields
    ) { (manager: SecretManager, _: Input) in
        .list(
            try await manager.secrets.names(), fields,
            empty: Diagnostic(
                "No secrets", suggestions: [Example("hub secrets set NAME", "store a secret in the keyring")]))
    }

    private static let set = Command(
        "set", summary: "store a secret in the keyring",
        discussion: ["The secret is read from stdin, or from the terminal without showing it."],
        examples: [
            Example("hub secrets set posteo", "enter the secret without showing it"),
            Example("hub secrets set posteo - < password.txt", "read the first line of a file"),
        ], parameters: [name, source], changes: true
    ) { (manager: SecretManager, input: Input) in
        let account = input[name]
        if input.dryRun { return .done("Would store a secret as \(account)") }
        let secret = try await secret(named: account, input)
        try await manager.secrets.save(secret, as: .named(account))
        return .done("Stored \(account) in the keyring. To revert: hub secrets rm \(ShellWords.quote(account))")
    }

    private static let remove = Command(
        "rm", summary: "delete a secret from the keyring",
        discussion: [
            "hub contacts accounts rm and hub mintee accounts rm delete the password of an account. If the keyring was "
                + "not available then, a warning named the remaining entry."
        ],
        examples: [
            Example("hub secrets rm posteo", "delete it after asking; hub undo cannot restore it"),
            Example("hub secrets rm posteo --yes", "delete it without asking"),
        ], parameters: [name], changes: true
    ) { (manager: SecretManager, input: Input) in
        let account = input[name]
        let entry: KeyringEntry
        if try await manager.secrets.names().contains(account) {
            entry = .named(account)
        } else if let own = KeyringEntry(account: account) {
            entry = own
        } else {
            throw missing(account)
        }
        if input.dryRun { return .done("Would delete \(account) from the keyring") }
        guard
            try await input.confirm(
                "Permanently delete the secret \(account)?",
                consequence: "this would permanently delete the secret \(account)")
        else { return .cancelled }
        guard try await manager.secrets.remove(entry) else { throw missing(account) }
        return .done("Deleted \(account) from the keyring")
    }

    /// The most bytes of a secret.
    private static let limit = 64 << 10

    private static func secret(named account: String, _ input: Input) async throws -> String {
        let secret: String
        switch input[source].first {
        case nil:
            guard input.console.isInteractive else {
                throw HubError(
                    .usage, code: "answer-needed",
                    "the secret is missing and there is no terminal to ask on; nothing was changed",
                    hint: "hub secrets set \(account) - reads it from stdin")
            }
            secret = try await input.console.askSecret("Secret for \(account): ") ?? ""
        case "-":
            var bytes: [UInt8] = []
            for try await chunk in input.console.standardInput() {
                bytes += chunk
                if bytes.count > limit || chunk.contains(UInt8(ascii: "\n")) { break }
            }
            secret = SecretText.firstLine(of: bytes) ?? ""
        case _?:
            throw HubError(
                .usage, code: "secret-in-command-line", "do not type a secret on the command line",
                details: ["it would be visible in the shell history and in the list of processes"],
                hint: "hub secrets set \(account) asks for it")
        }
        guard !secret.isEmpty, secret.utf8.count <= limit else {
            throw HubError(
                .invalid, code: "no-secret", secret.isEmpty ? "the secret is empty" : "the secret is too long",
                hint: "hub secrets set \(account) asks for it")
        }
        return secret
    }

    private static func missing(_ account: String) -> HubError {
        HubError(
            .notFound, code: "secret-not-found", "the keyring has no entry \(account)",
            hint: "hub secrets list lists all entries")
    }
}
