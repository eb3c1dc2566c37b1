import Commands
import Glibc
import Sync
import System

extension DoctorCheck {
    /// The check that the accounts of `plugin` have what they need on this machine: their folders, and where their passwords come
    /// from. It asks no server and no keyring, and runs no command.
    static func accounts<P: AccountPlugin>(of plugin: P.Type) -> DoctorCheck {
        let kind = P.Accounts.kind
        return DoctorCheck(kind.noun.many) { (plugin: P) in
            let setups = try plugin.accounts.registry.accounts()
            guard !setups.isEmpty else { return .fine("none") }
            for setup in setups {
                if let problem = problem(of: setup, kind, plugin.accounts.registry.settings) { return problem }
            }
            return .fine(setups.map(\.name).joined(separator: ", "))
        }
    }

    private static func problem(
        of setup: ConfiguredAccount, _ kind: AccountKind, _ settings: any Settings
    ) -> Finding? {
        if case .folder(let path) = setup.account.address, !isFolder(path) {
            return .warning(
                "\(setup.name): the folder \(TerminalSanitizer.line(settings.shown(path))) is missing",
                remedy: "mount or make it, or \(kind.command("edit \(setup.name) --\(kind.addresses.key) DIR"))")
        }
        switch setup.password {
        case .file(let path)? where ByteString.withPath(path, { access($0, R_OK) }) != 0:
            return .warning(
                "\(setup.name): the \(kind.secretNoun) file \(TerminalSanitizer.line(settings.shown(path))) cannot be read",
                remedy: kind.command("edit \(setup.name) --\(kind.secretWord)-file FILE"))
        case .command(let text)?:
            guard let program = program(of: text), !Subprocess.isFound(program) else { return nil }
            return .warning(
                "\(setup.name): the \(kind.secretNoun) command \(TerminalSanitizer.line(program)) is not installed",
                remedy: "install it, or \(kind.command("edit \(setup.name) --\(kind.secretWord)-command COMMAND"))")
        default: return nil
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return ByteString.withPath(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The words that a shell reads by itself.
    private static let builtins: Set<String> = [
        ".", ":", "!", "[", "{", "case", "cd", "command", "eval", "exec", "export", "for", "if", "read", "set", "test",
        "trap", "umask", "unset", "until", "while",
    ]

    /// Returns the program that a line of a shell begins with; nil where only the shell can tell.
    private static func program(of line: String) -> String? {
        guard let word = ShellWords.split(line)?.first, !word.isEmpty, !builtins.contains(word) else { return nil }
        let plain = word.utf8.allSatisfy { byte in
            byte >= 0x80 || isalnum(Int32(byte)) != 0 || "-_./+,@%".utf8.contains(byte)
        }
        return plain && line.hasPrefix(word) ? word : nil
    }
}
