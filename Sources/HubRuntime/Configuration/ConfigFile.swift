import Glibc
package import HubKit
import TOML

/// The user's config file: its path, reading it, and replacing it atomically.
package struct ConfigFile: Sendable {
    /// The absolute path.
    package let path: String
    /// The path as it is shown, with `~` for the home folder.
    package let shownPath: String
    /// Whether an option or the environment named it, so that it must be there.
    package let isNamed: Bool

    /// The file that `option` (`--config`) or `HUB_CONFIG` names, else `hub/config.toml` in the XDG config folder.
    package init(environment: ProcessEnvironment, option: String?) {
        let named = option ?? environment["HUB_CONFIG"]
        isNamed = named != nil
        path =
            named.map { Directories.absolute($0, home: environment.home) }
            ?? Directories(environment: environment).config + "/config.toml"
        let home = environment.home + "/"
        shownPath = path.hasPrefix(home) ? "~/\(path.dropFirst(home.count))" : path
    }

    private init(system path: String) {
        self.path = path
        shownPath = path
        isNamed = false
    }

    /// The files `hub/config.toml` in the folders of `XDG_CONFIG_DIRS`, or in /etc/xdg, the most important first. An administrator
    /// sets there what holds for all users who do not set it themselves.
    static func ofSystem(_ environment: ProcessEnvironment) -> [ConfigFile] {
        let folders = environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg"
        return folders.split(separator: ":").filter { $0.hasPrefix("/") }.map {
            ConfigFile(system: "\($0)/hub/config.toml")
        }
    }

    /// Returns the text; nil when there is no such file.
    package func readIfPresent() throws(HubError) -> ConfigText? {
        do throws(SystemError) {
            return ConfigText(try BoundedFile.read(path, limit: TOML.maximumSize), path: shownPath)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw cannot("read", error.code)
        }
    }

    /// Returns the text; nil when the default file does not exist. A file named by an option must exist.
    package func read() throws(HubError) -> ConfigText? {
        if let text = try readIfPresent() { return text }
        guard isNamed else { return nil }
        throw HubError(
            .config, code: "config-missing", "no config file \(shownPath)",
            hint: "create it: hub config init --config \(ShellWords.quote(path))")
    }

    /// Replaces the file atomically and keeps its mode; a new file is readable by its owner only. Where the
    /// path is a symbolic link, for example into a repository of settings, the target is replaced.
    ///
    /// `expected` is the text that the change was made from; when the file is another by now, nothing is written.
    package func write(_ bytes: [UInt8], expecting expected: ConfigText?) throws(HubError) {
        let target = Self.resolved(path)
        let folder = try makeFolder(of: target)
        // The folder is locked, because each write replaces the file itself.
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw cannot("write", errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 { guard errno == EINTR else { throw cannot("write", errno) } }
        guard try readIfPresent()?.bytes == expected?.bytes else {
            throw HubError(
                .conflict, code: Self.changedCode, "\(shownPath) was changed by another program in the meantime",
                hint: "try again")
        }
        try replace(target, with: bytes)
        fsync(lock)
    }

    /// The code of the error that ``write(_:expecting:)`` throws when the file is another by now.
    static let changedCode = "config-changed"

    /// Stores bytes next to the config file for the user, and returns the path.
    package func keep(_ bytes: [UInt8], suffix: String) throws(HubError) -> String {
        _ = try makeFolder(of: path)
        try replace(path + suffix, with: bytes)
        return shownPath + suffix
    }

    private func replace(_ path: String, with bytes: [UInt8]) throws(HubError) {
        do throws(HubError) {
            let file = try AtomicFile(path: path, newFileMode: 0o600)
            do throws(SinkError) {
                try file.write(bytes)
            } catch {
                file.discard()
                let reason = if case .system(let number) = error { number } else { EPIPE }
                throw AtomicFile.failure(path, reason)
            }
            try file.commit()
        } catch {
            var error = error
            error.hint = nil  // It is about the option -o.
            throw error
        }
    }

    /// Makes the folder that `path` lies in, and those above it, for their owner alone.
    private func makeFolder(of path: String) throws(HubError) -> String {
        let parts = path.split(separator: "/").dropLast()
        var folder = ""
        for part in parts {
            folder += "/" + part
            guard mkdir(folder, 0o700) != 0 else { continue }
            let code = errno
            guard access(folder, F_OK) == 0 else { throw cannot("write", code) }
        }
        return folder.isEmpty ? "/" : folder
    }

    /// Returns the path with all links resolved; the path itself when it does not exist yet.
    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private func cannot(_ verb: String, _ reason: Int32) -> HubError {
        HubError(
            reason == ENOSPC || reason == EDQUOT ? .busy : .config, code: "cannot-\(verb)-config",
            "cannot \(verb) \(shownPath)", details: [String(cString: strerror(reason))])
    }
}
