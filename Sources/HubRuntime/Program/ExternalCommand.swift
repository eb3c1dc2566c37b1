import Commands
import Glibc

/// An executable `hub-<word>` on `PATH`, which is `hub <word>` as long as no built-in command has that name.
struct ExternalCommand: Sendable {
    let root: Command

    /// Replaces this process with the program that the first word names; returns when there is none. Options before
    /// that word are passed in the environment to a hub that it calls.
    func replaceProcess(with arguments: [String]) {
        guard let position = AliasExpansion.firstWord(of: arguments, root: root),
            let given = GlobalOptions.environment(of: arguments[..<position]),
            ExternalCommand.isName(arguments[position])
        else { return }
        let program = "hub-" + arguments[position]
        let words =
            ([program] + given.rest + arguments[(position + 1)...])
            .map { ByteString.withPath($0) { strdup($0) } } + [nil]
        defer { words.forEach { free($0) } }
        for (name, value) in given.variables { _ = ByteString.withPath(value) { setenv(name, $0, 1) } }
        execvp(program, words)
    }

    /// The words of all external commands in `PATH`, sorted.
    static func names(in environment: ProcessEnvironment) -> [String] {
        var names: Set<String> = []
        for folder in (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":") {
            guard let stream = opendir(String(folder)) else { continue }
            defer { closedir(stream) }
            while let entry = readdir(stream) {
                let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard file.hasPrefix("hub-"), isName(String(file.dropFirst(4))),
                    access("\(folder)/\(file)", X_OK) == 0
                else { continue }
                names.insert(String(file.dropFirst(4)))
            }
        }
        return names.sorted()
    }

    private static func isName(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { $0 == 0x2D || $0 == 0x5F || isalnum(Int32($0)) != 0 }
    }
}
