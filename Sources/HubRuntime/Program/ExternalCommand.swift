import Glibc
import HubKit

/// An executable `hub-<word>` on `PATH`, which is `hub <word>` as long as no built-in command has that name.
struct ExternalCommand: Sendable {
    let root: Command

    /// Runs the executable that the first word names in place of this process; returns when there is none.
    func replaceProcess(with arguments: [String]) {
        guard let position = AliasExpansion.firstWord(of: arguments, root: root), position == 0 else { return }
        let word = arguments[position]
        guard word.utf8.allSatisfy({ $0 == 0x2D || $0 == 0x5F || isalnum(Int32($0)) != 0 }) else { return }
        let words = (["hub-\(word)"] + arguments.dropFirst()).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        execvp("hub-\(word)", words)
    }
}
