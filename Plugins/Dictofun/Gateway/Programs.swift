import Glibc

/// The programs that Dictofun can use when they are installed.
package struct Programs: Sendable {
    private let folders: [String]
    /// The user's home folder; nil if it is not looked at.
    let home: String?
    /// The folders in which packages of the system keep their data.
    private let shares: [String]
    /// The path of hub itself, where this process runs it.
    let own: String?

    /// Creates the list of programs in the folders of `path`, as the variable PATH has them, and of hub itself.
    package init(
        path: String, own: String? = nil, home: String? = nil, shares: [String] = ["/usr/share", "/usr/local/share"]
    ) {
        folders = path.split(separator: ":").map(String.init)
        self.home = home
        self.shares = shares
        self.own = own
    }

    /// The programs of this process's PATH.
    static func installed(own: String?) -> Programs {
        Programs(
            path: getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin", own: own,
            home: getenv("HOME").map { String(cString: $0) })
    }

    /// Whether one of the folders of the system, or that beside the folder of `program`, has `path`.
    func hasShared(_ path: String, for program: String) -> Bool {
        let own = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(separator: "/")
        return (shares + [own + "/share"]).contains { access("\($0)/\(path)", R_OK) == 0 }
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
