import Glibc

/// The programs that Dictofun can use when they are installed.
package struct Programs: Sendable {
    private let folders: [String]
    /// The path of hub itself, where this process runs it.
    let own: String?

    /// Creates the list of programs in the folders of `path`, as the variable PATH has them, and of hub itself.
    package init(path: String, own: String? = nil) {
        folders = path.split(separator: ":").map(String.init)
        self.own = own
    }

    /// The programs of this process's PATH.
    static func installed(own: String?) -> Programs {
        Programs(path: getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", own: own)
    }

    /// Returns the path of the first of `names` that can be run; nil if there is none.
    package func find(_ names: String...) -> String? {
        for name in names {
            if name.contains("/"), access(name, X_OK) == 0 { return name }
            if let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) { return "\(folder)/\(name)" }
        }
        return nil
    }
}
