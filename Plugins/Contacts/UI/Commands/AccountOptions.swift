import ContactsDomain
import Glibc
import HubKit

/// What the command line says of an account.
struct AccountOptions: Sendable {
    private static let user = Option<String>("user", "USER", help: "the user at the server")
    private static let command = Option<String>(
        "password-command", "COMMAND", help: "the password is the first line that this prints")
    private static let file = Option<String>(
        "password-file", "FILE", help: "the password is the first line of this file", completion: .files([]))
    private static let every = Option<String>("every", "LENGTH", help: "how often hub serve syncs it: 15min, 2h")
    private static let book = Option<[String]>("book", "NAME", help: "sync this book only; may be given again")

    static let all: [any ParameterDeclaration] = [user, command, file, every, book]
    static let exclusive = [["password-command", "password-file"]]

    private let input: Input

    init(_ input: Input) { self.input = input }

    /// The user, where it is given.
    var user: String? { input[Self.user] }

    /// The names of the books to sync; empty for all.
    var books: [String] { input[Self.book] }

    /// How often it is to be synced.
    var every: Duration? {
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
    static func address(_ word: String) throws -> (address: Account.Address, user: String?) {
        var status = stat()
        let isFolder = stat(word, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        if isFolder || word.hasPrefix(".") || word.hasPrefix("/") { return (.folder(try absolute(word)), nil) }
        if word.hasPrefix("~") {
            throw HubError(
                .usage, code: "no-address", "the shell did not expand \(word)", hint: "type it without quotes")
        }
        let (plain, user) = withoutUser(word)
        guard let address = Account.Address(plain) else { throw HubError.noAddress(word) }
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

    /// Asks for the user of a server; nil when it has none or nobody can be asked.
    func askUser() async throws -> String? {
        guard input.interaction.canAsk else { return nil }
        let answer = try await input.interaction.ask("User at the server (Return for none): ") ?? ""
        return answer.isEmpty ? nil : answer
    }

    /// The password, or where it comes from; asked for without showing it when `isAsked`. Nil when there is none.
    func password(of account: Account, isAsked: Bool) async throws -> AddAccount.Password? {
        if let command = input[Self.command] { return .source(.command(command)) }
        if let file = input[Self.file] { return .source(.file(try Self.absolute(file))) }
        guard isAsked, account.kind == .carddav else { return nil }
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
