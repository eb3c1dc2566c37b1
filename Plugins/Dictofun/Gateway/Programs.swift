import Glibc

/// The programs that Dictofun can use when they are installed.
package struct Programs: Sendable {
    private let folders: [String]

    /// Creates the list of programs in the folders of `path`, as the variable PATH has them.
    package init(path: String) { folders = path.split(separator: ":").map(String.init) }

    /// The programs of this process's PATH.
    package static let installed = Programs(path: getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin")

    /// Returns the path of the first of `names` that can be run; nil if there is none.
    package func find(_ names: String...) -> String? {
        for name in names {
            if name.contains("/"), access(name, X_OK) == 0 { return name }
            if let folder = folders.first(where: { access("\($0)/\(name)", X_OK) == 0 }) { return "\(folder)/\(name)" }
        }
        return nil
    }
}
