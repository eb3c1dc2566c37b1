import Glibc
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
                variables[String(decoding: name, as: UTF8.self)] = String(cString: equals + 1)
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
            CommandLine.unsafeArgv[index].map { word in
                RawText.text(ByteString(UnsafeRawBufferPointer(start: word, count: strlen(word))))
            }
        }
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
