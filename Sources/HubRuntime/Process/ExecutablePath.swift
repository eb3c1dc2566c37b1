import Glibc

/// Looks for programs in `PATH`.
enum ExecutablePath {
    /// The first of `names` that can be run.
    static func first(of names: [String], in environment: [String: String]) -> String? {
        let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return names.first { name in folders.contains { access("\($0)/\(name)", X_OK) == 0 } }
    }
}
