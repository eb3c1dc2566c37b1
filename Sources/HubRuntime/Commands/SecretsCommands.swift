package import HubKit

/// The keyring as `hub secrets` uses it.
package struct SecretsDesk: Sendable {
    package let secrets: any Secrets

    package init(secrets: any Secrets) { self.secrets = secrets }
}

/// `hub secrets`: passwords and tokens in the keyring, which the config file names and never holds. A secret is never
/// shown, and never typed as a word of the command line, where the shell's history would keep it.
enum SecretsCommands {
    private static let name = Argument<String>(
        "NAME", help: "the entry's name, as in { keyring = \"NAME\" }",
        completion: .from(SecretsDesk.self) { desk, _ in try await desk.secrets.names().map { CompletionWord($0) } })
    private static let source = Arguments<String>("-", .optional, help: "read the secret from standard input")

    private static let fields = [Field<String>("name", "NAME", help: "the entry's name") { .text($0) }]

    static let command = Command(
        group: "secrets", aliases: ["secret"], summary: "passwords and tokens in the keyring", prominence: .full,
        view: "list", subcommands: [list, set, remove])

    private static let list = Command(
        "list", summary: "list hub's entries, not what they hold",
        examples: [
            Example("hub secrets list", "the names"), Example("hub secrets list --plain", "one a line, for a script"),
        ], fields: fields
    ) { (desk: SecretsDesk, _: Input) in
        .list(
            try await desk.secrets.names(), fields,
            empty: Note("No secrets", suggestions: [Example("hub secrets set NAME", "keep one in the keyring")]))
    }

    private static let set = Command(
        "set", summary: "keep a secret in the keyring",
        discussion: ["It is asked for without being shown, or read from standard input."],
        examples: [
            Example("hub secrets set posteo", "asks for it without showing it"),
            Example("hub secrets set posteo - < password.txt", "takes the first line"),
        ], parameters: [name, source], changes: true
    ) { (desk: SecretsDesk, input: Input) in
        let account = input[name]
        if input.dryRun { return .done("Would keep a secret as \(account)") }
        let secret = try await secret(named: account, input)
        try await desk.secrets.save(secret, as: .named(account))
        return .done("\(account) is in the keyring. Back: hub secrets rm \(ShellWords.quote(account))")
    }

    private static let remove = Command(
        "rm", summary: "take a secret out of the keyring",
        discussion: [
            "The password of an account goes with the account. Where the keyring could not be used then, a warning names "
                + "the entry that remains."
        ],
        examples: [
            Example("hub secrets rm posteo", "asks first, for undo cannot bring it back"),
            Example("hub secrets rm posteo --yes", "without asking"),
        ], parameters: [name], changes: true
    ) { (desk: SecretsDesk, input: Input) in
        let account = input[name]
        let entry: KeyringEntry
        if try await desk.secrets.names().contains(account) {
            entry = .named(account)
        } else if let own = KeyringEntry(account: account) {
            entry = own
        } else {
            throw missing(account)
        }
        if input.dryRun { return .done("Would take \(account) out of the keyring") }
        guard
            try await input.confirm(
                "Destroy the secret \(account) for good?", consequence: "the secret \(account) would be destroyed")
        else { return .cancelled }
        guard try await desk.secrets.remove(entry) else { throw missing(account) }
        return .done("\(account) is destroyed")
    }

    /// The most bytes of a secret.
    private static let limit = 64 << 10

    private static func secret(named account: String, _ input: Input) async throws -> String {
        let secret: String
        switch input[source].first {
        case nil:
            guard input.interaction.canAsk else {
                throw HubError(
                    .usage, code: "answer-needed", "nothing was done: nobody can be asked for the secret",
                    hint: "hub secrets set \(account) - reads it from standard input")
            }
            secret = try await input.interaction.askSecret("Secret for \(account): ") ?? ""
        case "-":
            var bytes: [UInt8] = []
            for try await chunk in input.interaction.standardInput() {
                bytes += chunk
                if bytes.count > limit || chunk.contains(UInt8(ascii: "\n")) { break }
            }
            secret = SecretText.firstLine(of: bytes) ?? ""
        case _?:
            throw HubError(
                .usage, code: "secret-in-command-line", "a secret is not typed on the command line",
                details: ["the shell's history and the list of processes would show it"],
                hint: "hub secrets set \(account) asks for it")
        }
        guard !secret.isEmpty, secret.utf8.count <= limit else {
            throw HubError(
                .invalid, code: "no-secret", secret.isEmpty ? "there is no secret to keep" : "the secret is too long",
                hint: "hub secrets set \(account) asks for it")
        }
        return secret
    }

    private static func missing(_ account: String) -> HubError {
        HubError(
            .notFound, code: "secret-not-found", "the keyring has no entry \(account)",
            hint: "hub secrets list shows all entries")
    }
}
