import Glibc

/// The environment of the process: its arguments, variables and user. Tests create their own.
package struct ProcessEnvironment: Sendable {
    /// The words after the program's name.
    package let arguments: [String]
    /// The environment variables.
    package let variables: [String: String]
    /// The home folder of the user.
    package let home: String

    package init(arguments: [String], variables: [String: String], home: String) {
        self.arguments = arguments
        self.variables = variables
        self.home = home
    }

    /// The environment of this process.
    package static func current() -> ProcessEnvironment {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(parts[0])] = String(parts[1]) }
            entry += 1
        }
        return ProcessEnvironment(variables: variables, arguments: Array(CommandLine.arguments.dropFirst()))
    }

    /// Creates the environment with these variables. A relative home folder would depend on the current folder, so it
    /// is replaced with that of the password database.
    package init(variables: [String: String], arguments: [String] = []) {
        let named = variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.init(
            arguments: arguments, variables: variables, home: named ?? ProcessEnvironment.passwordEntryHome() ?? "/")
    }

    private static func passwordEntryHome() -> String? {
        getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) }
    }

    /// The variable's value; an empty one counts as not set, as XDG asks.
    package subscript(name: String) -> String? {
        guard let value = variables[name], !value.isEmpty else { return nil }
        return value
    }
}
