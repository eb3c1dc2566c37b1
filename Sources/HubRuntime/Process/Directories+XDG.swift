import Glibc
import Hashing
package import HubKit

extension Directories {
    /// hub's folders after the XDG base directory specification; `data` overrides where the database lies.
    ///
    /// Each database has its own folder of sockets, so that two databases of one user do not interfere. Without
    /// `XDG_RUNTIME_DIR`, as under cron or su, it is `hub-UID` in `fallback`, which is writable by everyone: that
    /// folder is only created with `makesRuntime`, and only used when it belongs to the user and is private.
    package init(
        environment: ProcessEnvironment, data: String? = nil, makesRuntime: Bool = false, fallback: String = "/tmp"
    ) {
        func base(_ variable: String, _ fallback: String) -> String {
            let value = environment[variable].flatMap { $0.hasPrefix("/") ? $0 : nil }
            return (value ?? environment.home + "/" + fallback) + "/hub"
        }
        let data =
            data.map { Directories.absolute($0, home: environment.home) } ?? base("XDG_DATA_HOME", ".local/share")
        let runtime =
            environment["XDG_RUNTIME_DIR"].map { $0 + "/hub" }
            ?? (makesRuntime ? Directories.privateFolder("\(fallback)/hub-\(geteuid())") : nil)
        self.init(
            data: data, state: base("XDG_STATE_HOME", ".local/state"), cache: base("XDG_CACHE_HOME", ".cache"),
            config: base("XDG_CONFIG_HOME", ".config"), runtime: runtime.map { $0 + "/" + Directories.digest(of: data) }
        )
    }

    /// Returns the folder at `path`, created if it is missing; nil when it belongs to another user or is accessible
    /// to others.
    ///
    /// In a folder with the sticky bit, other users cannot replace it afterwards.
    private static func privateFolder(_ path: String) -> String? {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { return nil }
        var status = stat()
        let isOurs =
            lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
            && status.st_mode & 0o077 == 0
        return isOurs ? path : nil
    }

    /// The path without `~` and relative parts, as far as that is known without looking.
    package static func absolute(_ path: String, home: String) -> String {
        if path == "~" { return home }
        if path.hasPrefix("~/") { return home + path.dropFirst(1) }
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }

    /// Eight hexadecimal digits that distinguish data folders.
    private static func digest(of text: String) -> String {
        var hash = FNV1a()
        hash.add(text.utf8)
        return String(hash.hexadecimal.suffix(8))
    }
}
