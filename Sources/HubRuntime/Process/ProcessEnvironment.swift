import Glibc
package import System
import Text

/// The environment of the process: its arguments, variables and user. Tests create their own.
package struct ProcessEnvironment: Sendable {
    /// The words after the program's name.
    package let arguments: [String]
    /// The environment variables.
    package let variables: [String: String]
    /// The home folder of the user.
    package let home: String
    /// The path of the program that this process runs, when that is hub.
    package private(set) var program: String?

    package init(arguments: [String], variables: [String: String], home: String) {
        self.arguments = arguments
        self.variables = variables
        self.home = home
    }

    /// The environment of this process.
    package static func current() -> ProcessEnvironment {
        var variables: [String: String] = [:]
        var entry = environ
        // By bytes: to split a hundred texts by characters takes a tenth of a short command.
        while let text = entry.pointee {
            if let equals = strchr(text, Int32(UInt8(ascii: "="))) {
                let name = UnsafeRawBufferPointer(start: text, count: equals - text)
                variables[String(decoding: name, as: UTF8.self)] = value(equals + 1)
            }
            entry += 1
        }
        var current = ProcessEnvironment(variables: variables, arguments: words())
        // Also when the file was replaced by an update.
        current.program = "/proc/self/exe"
        return current
    }

    /// The words after the program's name; ``RawText`` where they are not UTF-8.
    private static func words() -> [String] {
        (0..<Int(CommandLine.argc)).dropFirst().compactMap { index in
            CommandLine.unsafeArgv[index].map { value($0) }
        }
    }

    /// Returns a text of the system; ``RawText`` where it is not UTF-8.
    private static func value(_ text: UnsafePointer<CChar>) -> String {
        // All scalars that stand for bytes begin with this byte.
        if strchr(text, 0xF4) == nil, let value = String(validatingCString: text) { return value }
        return RawText.text(ByteString(UnsafeRawBufferPointer(start: text, count: strlen(text))))
    }

    /// Throws if a variable names a folder of hub in bytes that are not UTF-8: hub would use another folder than the one that is meant.
    package func requireReadableFolders() throws(HubError) {
        let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"]
        guard let name = names.first(where: { variables[$0].map(RawText.contains) == true }) else { return }
        throw HubError(
            .usage, code: "folder-not-utf8", "\(name) is not UTF-8: \(TerminalSanitizer.line(variables[name] ?? ""))",
            hint: "set \(name) to a folder whose name is UTF-8")
    }

    /// Creates the environment with these variables. A relative home folder would depend on the current folder, so it
    /// is replaced with that of the password database.
    package init(variables: [String: String], arguments: [String] = []) {
        let named = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.init(
            arguments: arguments, variables: variables, home: named ?? ProcessEnvironment.passwordEntryHome() ?? "/")
    }

    private static func passwordEntryHome() -> String? {
        getpwuid(getuid()).map { value($0.pointee.pw_dir) }
    }

    /// Returns a path for messages: with `~` for the home folder.
    package func shown(_ path: String) -> String {
        path == home ? "~" : path.hasPrefix(home + "/") ? "~" + path.dropFirst(home.count) : path
    }

    /// The variable's value; an empty one counts as not set, as XDG asks.
    package subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }
}
