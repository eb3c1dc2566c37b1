import Commands
import Glibc
import Sync

/// The command-line options of an account.
struct AccountOptions: Sendable {
    private static let user = Option<String>("user", "USER", help: "user name on the server")
    private static let every = Option<String>("every", "LENGTH", help: "interval between syncs by hub serve: 15min, 2h")
    private static let trust = Option<String>(
        "trust", "FINGERPRINT", help: "trust the certificate with this SHA-256 hash")
    private static let authorities = Option<String>(
        "ca-file", "FILE", help: "trust the authorities in this PEM file", completion: .files([]))

    private static let client = Option<String>(
        "oauth-client", "FILE", help: "sign in by OAuth with your own client, described by this JSON file",
        completion: .files(["json"]))

    private let input: Input
    private let kind: AccountKind

    init(_ input: Input, _ kind: AccountKind) {
        self.input = input
        self.kind = kind
    }

    private static func command(_ kind: AccountKind) -> Option<String> {
        Option("\(kind.secretWord)-command", "CMD", help: "command that prints the \(kind.secretNoun)")
    }

    private static func file(_ kind: AccountKind) -> Option<String> {
        Option(
            "\(kind.secretWord)-file", "FILE", help: "file with the \(kind.secretNoun) in its first line",
            completion: .files([]))
    }

    /// The options that accounts of `kind` have.
    static func parameters(_ kind: AccountKind) -> [any ParameterDeclaration] {
        let hasServers = kind.addresses.server != nil
        var all: [any ParameterDeclaration] = hasServers ? [user] : []
        if kind.secret != nil { all += [command(kind), file(kind)] }
        if kind.takesOAuth { all.append(client) }
        if kind.interval != nil { all.append(every) }
        if hasServers { all += [trust, authorities] }
        switch kind.collections {
        case .none: break
        case .many(_, let option): all.append(option)
        case .one(_, let option): all.append(option)
        }
        return all
    }

    /// The groups of options of `kind` of which only one may be given; `others` are more options for the secret.
    static func exclusive(_ kind: AccountKind, _ others: [String] = []) -> [[String]] {
        let secrets =
            others + ["\(kind.secretWord)-command", "\(kind.secretWord)-file"]
            + (kind.takesOAuth ? ["oauth-client"] : [])
        return (kind.secret == nil ? [] : [secrets]) + (kind.addresses.server == nil ? [] : [["trust", "ca-file"]])
    }

    /// The collections that were chosen; nil for no choice. Throws a usage error for an empty or very long name.
    var collections: [String]? {
        get throws {
            let names: [String]
            let option: String
            switch kind.collections {
            case .none: return nil
            case .many(_, let many): (names, option) = (input[many], many.parameter.name)
            case .one(_, let one): (names, option) = (input[one].map { [$0] } ?? [], one.parameter.name)
            }
            guard names.allSatisfy({ !$0.isEmpty && $0.count <= 100 }) else {
                throw HubError(.usage, code: "no-\(option)", "--\(option) needs a name of 1 to 100 characters")
            }
            return names.isEmpty ? nil : names
        }
    }

    /// The file that describes the client to sign in with; nil if none is given.
    var client: [UInt8]? {
        get async throws {
            guard kind.takesOAuth, let path = input[Self.client] else { return nil }
            let reader = try await ChunkedFileReader(path: path, isRegular: true)
            var bytes: [UInt8] = []
            while bytes.count < 1 << 16, let chunk = try await reader.next() { bytes += chunk }
            return bytes
        }
    }

    /// The user, if given.
    var user: String? { input[Self.user] }

    /// Whether `--force` was given to override a safety check.
    var isForced: Bool { input[GlobalOptions.force] }

    /// The way the server is to be trusted, if given.
    var trust: Account.Trust? {
        get throws {
            if let file = input[Self.authorities] {
                return .authorities(file: try Self.absolute(file, "file", hint: "check the path"))
            }
            guard let text = input[Self.trust] else { return nil }
            guard let fingerprint = CertificateFingerprint(text) else {
                throw HubError(
                    .usage, code: "invalid-fingerprint", "--trust needs the SHA-256 fingerprint of a certificate",
                    details: ["64 hexadecimal digits, with or without colons"],
                    hint: "openssl s_client -connect HOST:443 </dev/null | openssl x509 -noout -fingerprint -sha256")
            }
            return .certificate(fingerprint)
        }
    }

    /// The interval between syncs.
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

    /// The address that a word of the command line means, and the user that a URL holds. A password in a URL is
    /// dropped, and never shown: the shell's history and the config file would keep it.
    func address(_ word: String) async throws -> (address: Account.Address, user: String?) {
        var status = stat()
        let takesFolders = kind.addresses.folder != nil
        let isFolder = stat(word, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        if takesFolders, isFolder || word.hasPrefix(".") || word.hasPrefix("/") {
            return (
                .folder(try Self.absolute(word, "folder", hint: "to create it: mkdir \(ShellWords.quote(word))")), nil
            )
        }
        if takesFolders, word.hasPrefix("~") {
            throw HubError(
                .usage, code: "no-address", "the shell did not expand \(word)", hint: "use it without quotes")
        }
        let parts = URLUser(word)
        guard let address = kind.addresses.address(parts.url) else {
            throw kind.noAddress(word)
        }
        if parts.hasPassword {
            await input.console.show([
                "The password in the URL is ignored, because it would be stored in the shell history."
            ])
        }
        return (address, parts.user)
    }

    /// Returns the absolute path with `.`, `..` and symbolic links resolved.
    private static func absolute(_ path: String, _ noun: String, hint: String) throws -> String {
        guard let real = realpath(path, nil) else {
            throw HubError(
                .notFound, code: "no-\(noun)", "no such \(noun): \(TerminalSanitizer.line(path))",
                details: [String(cString: strerror(errno))], hint: hint)
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Returns the user of a server: the one that is given, the one in the address, or the answer on a terminal.
    func user(of address: Account.Address, inURL: String?) async throws -> String? {
        switch address {
        case .folder, .identifier: return nil
        case .mail(let mail): return user ?? mail
        case .server:
            if let known = user ?? inURL { return known }
            return try await askUser()
        }
    }

    private func askUser() async throws -> String? {
        guard input.console.isInteractive else { return nil }
        let answer = try await input.console.ask("User name on the server (Return for none): ") ?? ""
        return answer.isEmpty ? nil : answer
    }

    /// Whether the secret or its source is given.
    var hasSecret: Bool { input[Self.command(kind)] != nil || input[Self.file(kind)] != nil }

    /// Returns the password or its source, prompting without echo when `isAsked`; nil when there is none.
    func password(of account: Account, isAsked: Bool) async throws -> PasswordInput? {
        if let command = input[Self.command(kind)] { return .source(.command(command)) }
        if let file = input[Self.file(kind)] {
            let hint = "to write the \(kind.secretNoun) to it: (umask 077; cat > \(ShellWords.quote(file)))"
            return .source(.file(try Self.absolute(file, "file", hint: hint)))
        }
        guard isAsked, kind.secret != nil, !account.address.isFolder else { return nil }
        guard input.console.isInteractive else {
            throw HubError(
                .usage, code: "answer-needed",
                "\(account.name) needs a \(kind.secretNoun), and there is no terminal to ask on; nothing was changed",
                hint: kind.passwordOptions(account.name))
        }
        let user = account.user.map { " of \($0)" } ?? ""
        let typed =
            try await input.console.askSecret(
                "\(kind.secretNoun.prefix(1).uppercased() + kind.secretNoun.dropFirst())\(user) at \(account.place): ")
            ?? ""
        guard !typed.isEmpty else {
            throw HubError(
                .invalid, code: "no-secret", "the \(kind.secretNoun) is empty; nothing was changed",
                hint: kind.secret == .key ? nil : "for a server without \(kind.secretNoun)s, omit the user")
        }
        return .typed(typed)
    }

    /// Stores the secret of an invitation in the file that is named for it; nil when none is named.
    func file(for invitation: AccountInvitation) throws -> InvitationFile? {
        guard let path = input[Self.file(kind)] else { return nil }
        let end = path.lastIndex(of: "/")
        let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = String(path[(end.map { path.index(after: $0) } ?? path.startIndex)...])
        guard !name.isEmpty else {
            throw HubError(.usage, code: "no-file", "--\(kind.secretWord)-file needs the name of a file")
        }
        return try InvitationFile(
            name, in: try Self.absolute(folder, "folder", hint: "to create it: mkdir -p \(ShellWords.quote(folder))"),
            secret: invitation.secret, noun: kind.secretNoun)
    }

    /// Whether the secret of an invitation is to be kept in a file.
    var hasFile: Bool { input[Self.file(kind)] != nil }

    /// Whether a password may be sent to `account` in clear text: the user agrees, or `--force` is given. Always true
    /// over TLS, to this machine, and without a password.
    func consentsToPlainText(_ account: Account) async throws -> Bool {
        guard account.user != nil, let origin = account.address.origin, origin.hasPrefix("http://") else { return true }
        let host = origin.dropFirst("http://".count).prefix { $0 != ":" || origin.hasPrefix("http://[") }
        let isHere =
            host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host.hasPrefix("[::1]")
        if isHere || isForced { return true }
        let what = "http:// sends the \(kind.secretNoun) of \(account.name) and all \(kind.things) in clear text"
        guard input.console.isInteractive else {
            throw HubError(
                .usage, code: "plain-http", "\(what); nothing was changed",
                hint: "use https://, or --force in a network that you trust")
        }
        await input.console.show(["! " + what])
        return try await Self.agrees("Continue?", input)
    }

    /// Does `work` with `account`. When its certificate is not trusted, the fingerprint is shown on the terminal and
    /// the user may trust it; then the work is done once more. `--yes` trusts nothing.
    func trusting<Result>(
        _ account: Account, work: (Account) async throws -> Result
    ) async throws -> Result {
        do {
            return try await work(account)
        } catch let error as HubError {
            guard case .untrusted(_, let certificate?)? = error.cause as? RemoteError, input.console.isInteractive
            else {
                throw error
            }
            await input.console.show(["! \(error.message)"] + error.details.map { "  " + $0 })
            guard try await Self.agrees("Trust this certificate from now on?", input) else { throw error }
            var trusting = account
            trusting.trust = .certificate(certificate)
            return try await work(trusting)
        }
    }

    /// Asks a question that `--yes` does not answer.
    private static func agrees(_ question: String, _ input: Input) async throws -> Bool {
        let answer = try await input.console.ask(question + " [y/N] ") ?? ""
        return ["y", "yes"].contains(answer.lowercased())
    }

    /// The command line that connects `setup` again, with all that is not the default. A password that is kept nowhere
    /// else is asked for.
    static func again(_ setup: ConfiguredAccount, _ kind: AccountKind) -> String {
        let account = setup.account
        var line = ["hub", kind.plugin, kind.noun.many, "add", account.name, account.place]
        if let user = account.user, .mail(user) != account.address { line += ["--user", user] }
        switch setup.password {
        case .command(let command): line += ["--\(kind.secretWord)-command", command]
        case .file(let file): line += ["--\(kind.secretWord)-file", file]
        case .text, .keyring, nil: break
        }
        if account.every != kind.keys.every.defaultValue,
            case .text(let every) = ConfigType<Duration>.duration.write(account.every)
        {
            line += ["--every", every]
        }
        switch account.trust {
        case .system: break
        case .authorities(let file): line += ["--ca-file", file]
        case .certificate(let fingerprint): line += ["--trust", fingerprint.description]
        }
        switch kind.collections {
        case .none: break
        case .many(_, let option): line += account.collections.flatMap { ["--\(option.parameter.name)", $0] }
        case .one(let key, let option):
            line += account.collections.filter { $0 != key.defaultValue }.flatMap {
                ["--\(option.parameter.name)", $0]
            }
        }
        return ShellWords.join(line)
    }
}

/// The user information of a URL (RFC 3986 §3.2.1), taken out of it.
private struct URLUser {
    /// The URL without it; anything else as it is.
    let url: String
    let user: String?
    let hasPassword: Bool

    init(_ word: String) {
        let start = word.firstRange(of: "://")?.upperBound ?? word.endIndex
        let authority = word[start...].prefix { !"/?#".contains($0) }
        guard let sign = authority.lastIndex(of: "@") else {
            (url, user, hasPassword) = (word, nil, false)
            return
        }
        let name = authority[..<sign].prefix { $0 != ":" }
        url = String(word[..<start] + word[word.index(after: sign)...])
        user = name.isEmpty ? nil : String(name.replacing("%40", with: "@"))
        hasPassword = name.endIndex != sign
    }
}
