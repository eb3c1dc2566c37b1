import Glibc
import HubKit

/// The folder of a running `hub demo`: its store, its config file, and a home folder in which nothing of the user's is.
///
/// The process that serves the demo holds a lock in it, so that the next demo can tell a folder that a killed one has left.
struct DemoFolder: Sendable {
    /// The variable that names the folder for the process in its environment.
    static let variable = "HUB_DEMO"
    private static let prefix = "hub-demo-"

    /// The path of the folder.
    let path: String

    /// The folder of the demo that this process serves; nil in any other process.
    ///
    /// It is removed at the end, so a variable that names anything but a folder of a demo that runs is refused.
    init?(_ environment: ProcessEnvironment) throws {
        guard let path = environment[Self.variable] else { return nil }
        let name = path.split(separator: "/").last ?? ""
        let lock = open(path + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        defer { close(lock) }
        guard name.hasPrefix(Self.prefix), lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0 else {
            throw HubError(
                .usage, code: "no-demo", "\(Self.variable) names no folder of a demo", hint: "unset \(Self.variable)")
        }
        self.path = path
    }

    /// Makes a new folder, for the user alone, in the runtime folder of the user or else among the temporary files.
    ///
    /// The lock stays with the process, also when it runs another program, and is gone with it.
    init(new environment: ProcessEnvironment) throws {
        let base = Self.base(environment)
        Self.removeAbandoned(in: base)
        var name = Array("\(base)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else { throw SystemError("mkdtemp \(base)/\(Self.prefix)") }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress.unsafelyUnwrapped) }
        do {
            // Without O_CLOEXEC, for the program that takes the place of this one.
            let lock = open(path + "/lock", O_RDWR | O_CREAT | O_EXCL, 0o600)
            guard lock >= 0, flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw SystemError("lock \(path)") }
            for folder in ["home", "run"] { try Directory.make("\(path)/\(folder)") }
        } catch {
            remove()
            throw error
        }
    }

    /// The variables of a process that knows nothing of the user's files, buses and settings: those of the terminal, the language and the
    /// time zone remain.
    func variables(_ environment: ProcessEnvironment) -> [String: String] {
        let kept = ["PATH", "TERM", "COLORTERM", "COLUMNS", "LINES", "NO_COLOR", "LANG", "LANGUAGE", "TZ", "PAGER"]
        var variables = environment.variables.filter { name, _ in kept.contains(name) || name.hasPrefix("LC_") }
        variables[Self.variable] = path
        variables["HOME"] = "\(path)/home"
        variables["XDG_RUNTIME_DIR"] = "\(path)/run"
        // There are no buses: neither the keyring nor the desktop nor Bluetooth is asked for anything.
        variables["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(path)/run/no-bus"
        variables["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=\(path)/run/no-bus"
        return variables
    }

    /// Removes the folder with all that is in it.
    func remove() { Self.remove(path) }

    private static func base(_ environment: ProcessEnvironment) -> String {
        for name in ["XDG_RUNTIME_DIR", "TMPDIR"] {
            if let folder = environment[name], folder.hasPrefix("/"), access(folder, W_OK) == 0 { return folder }
        }
        return "/tmp"
    }

    /// Removes the folders of demos that were killed: those of this user whose lock is free.
    private static func removeAbandoned(in base: String) {
        guard let stream = opendir(base) else { return }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream), found.count < 100 {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { found.append("\(base)/\(name)") }
        }
        for folder in found {
            var status = stat()
            guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
                continue
            }
            let lock = open(folder + "/lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
            close(lock)
        }
    }

    /// The deepest folder that is removed; hub makes none near it.
    private static let deepest = 32

    /// Removes a folder of hub's own making; what cannot be removed stays.
    private static func remove(_ path: String, depth: Int = 0) {
        if depth < deepest, let stream = opendir(path) {
            var names: [String] = []
            while let entry = readdir(stream) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if name != ".", name != ".." { names.append(name) }
            }
            closedir(stream)
            for name in names {
                var status = stat()
                let inner = "\(path)/\(name)"
                guard lstat(inner, &status) == 0 else { continue }
                if status.st_mode & S_IFMT == S_IFDIR { remove(inner, depth: depth + 1) } else { unlink(inner) }
            }
        }
        rmdir(path)
    }
}
