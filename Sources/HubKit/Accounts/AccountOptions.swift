import Glibc
package import Links

/// What the command line says of an account.
package struct AccountOptions: Sendable {
    private static let user = Option<String>("user", "USER", help: "the user at the server")
    private static let command = Option<String>(
        "password-command", "COMMAND", help: "the password is the first line that this prints")
    private static let file = Option<String>(
        "password-file", "FILE", help: "the password is the first line of this file", completion: .files([]))
    private static let every = Option<String>("every", "LENGTH", help: "how often hub serve syncs it: 15min, 2h")

    /// The options of every kind of account.
    package static let all: [any ParameterDeclaration] = [user, command, file, every]
    /// Those of them of which only one may be given.
    package static let exclusive = [["password-command", "password-file"]]

    private let input: Input
    private let words: AccountWords

    package init(_ input: Input, _ words: AccountWords) {
        self.input = input
        self.words = words
    }

    /// The user, where it is given.
    package var user: String? { input[Self.user] }

    /// How often it is to be synced.
    package var every: Duration? {
        get throws {
            guard let text = input[Self.every] else { return nil }
            do throws(ConfigMismatch) {
                return try ConfigType<Duration>.duration.read(.text(text), "")
            } catch {
                throw HubError(.usage, code: "invalid-length", "--every \(text): \(error.note)")
            }
        }
    }

    /// The address that a word of the command line means, and the user that a URL holds.
    package func address(_ word: String) throws -> (address: Account.Address, user: String?) {
        var status = stat()
        let isFolder = stat(word, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        if words.takesFolders, isFolder || word.hasPrefix(".") || word.hasPrefix("/") {
            return (.folder(try Self.absolute(word)), nil)
        }
        if words.takesFolders, word.hasPrefix("~") {
            throw HubError(
                .usage, code: "no-address", "the shell did not expand \(word)", hint: "type it without quotes")
        }
        let (plain, user) = Self.withoutUser(word)
        guard let address = Account.Address(plain), words.takesFolders || !address.isFolder else {
            throw words.noAddress(word)
        }
        return (address, user)
    }

    /// The path from the root, without `.`, `..` and links where it exists.
    private static func absolute(_ path: String) throws -> String {
        guard let real = realpath(path, nil) else {
            throw HubError(
                .notFound, code: "no-folder", "there is no folder \(PrintableText.line(path))",
                details: [String(cString: strerror(errno))], hint: "mkdir \(ShellWords.quote(path)) makes an empty one")
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// `https://ada@example.org/` as `https://example.org/` and `ada`. A password in a URL is left out: the shell's
    /// history and the config file would keep it.
    private static func withoutUser(_ word: String) -> (String, String?) {
        guard let scheme = word.firstRange(of: "://") else { return (word, nil) }
        let rest = word[scheme.upperBound...]
        let host = rest.prefix { $0 != "/" }
        guard let at = host.lastIndex(of: "@") else { return (word, nil) }
        let user = host[..<at].prefix { $0 != ":" }.replacing("%40", with: "@")
        return (String(word[..<scheme.upperBound] + rest[rest.index(after: at)...]), user.isEmpty ? nil : String(user))
    }

    /// The user of a server: the one that is given, the one of the address, or, when somebody can be asked, their answer.
    package func user(of address: Account.Address, inURL: String?) async throws -> String? {
        switch address {
        case .folder: return nil
        case .mail(let mail): return user ?? mail
        case .server:
            if let known = user ?? inURL { return known }
            return try await askUser()
        }
    }

    private func askUser() async throws -> String? {
        guard input.interaction.canAsk else { return nil }
        let answer = try await input.interaction.ask("User at the server (Return for none): ") ?? ""
        return answer.isEmpty ? nil : answer
    }

    /// The password, or where it comes from; asked for without showing it when `isAsked`. Nil when there is none.
    package func password(of account: Account, isAsked: Bool) async throws -> GivenPassword? {
        if let command = input[Self.command] { return .source(.command(command)) }
        if let file = input[Self.file] { return .source(.file(try Self.absolute(file))) }
        guard isAsked, account.isServer else { return nil }
        guard input.interaction.canAsk else {
            throw HubError(
                .usage, code: "answer-needed",
                "nothing was done: nobody can be asked for the password of \(account.name)",
                hint: "add --password-command \"pass dav/\(account.name)\", or --password-file FILE")
        }
        let user = account.user.map { " of \($0)" } ?? ""
        let typed = try await input.interaction.askSecret("Password\(user) at \(account.place): ") ?? ""
        guard !typed.isEmpty else {
            throw HubError(
                .invalid, code: "no-secret", "there is no password; nothing was changed",
                hint: "for a server without passwords leave the user out")
        }
        return .typed(typed)
    }
}
