import Commands
import Glibc
import HubKit

/// The rule for a path that the user gives for a result: never a file of hub itself, and a file of another kind only
/// with `--force`.
struct OutputTarget: Sendable {
    /// The data folder.
    private let data: String
    /// The config file.
    private let config: String
    private let isForced: Bool

    init(directories: Directories, config: String, isForced: Bool) {
        data = directories.data
        self.config = config
        self.isForced = isForced
    }

    /// The rule for a command with these options.
    init(_ environment: ProcessEnvironment, _ values: ParameterValues) {
        self.init(
            directories: Directories(environment: environment, data: values[GlobalOptions.data]),
            config: ConfigFile(environment: environment, option: values[GlobalOptions.config]).path,
            isForced: values[GlobalOptions.force])
    }

    /// Throws when `path`, whatever links lead to it, is a file of hub itself or lies in the data folder.
    func requireForeign(_ path: String) throws(HubError) {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        let own = Self.resolved(data) ?? data
        let candidates = [Self.resolved(path), Self.resolved(folder).map { $0 + "/" + name }].compactMap(\.self)
        let isInside = candidates.contains { $0 == own || $0.hasPrefix(own + "/") }
        let isConfig = candidates.contains(Self.resolved(config) ?? config)
        guard isInside || isConfig || isSameFile(path) else { return }
        throw HubError(
            .usage, code: "own-file",
            "\(TerminalSanitizer.line(path)) \(isConfig ? "is the config file" : "is part of hub's own store")",
            details: ["hub never overwrites it with output"], hint: "choose a file in another folder")
    }

    /// Throws when the file at `path` is there and must not be replaced by one of the kind `new`.
    func requireReplaceable(_ path: String, by new: FileKind) throws(HubError) {
        var status = stat()
        guard !isForced, FileName.withPath(path, { stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size > 0
        else {
            return
        }
        if let existing = FileKind(path: path), new.mayReplace(existing) { return }
        let what = new == .hubDatabase ? "is not a backup of hub" : "is a file of another kind"
        throw HubError(
            .usage, code: "would-replace", "\(TerminalSanitizer.line(path)) already exists and \(what)",
            details: ["nothing was written"], hint: "choose another file, or overwrite this one with --force")
    }

    /// Whether the file is a hard link to a file of the data folder.
    private func isSameFile(_ path: String) -> Bool {
        var status = stat()
        guard FileName.withPath(path, { stat($0, &status) }) == 0 else { return false }
        return ([config] + Self.files(in: data) + Self.files(in: data + "/backups")).contains { own in
            var other = stat()
            return stat(own, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
        }
    }

    private static func files(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(folder + "/" + name) }
        }
        return names
    }

    /// The path without links and relative parts; nil where nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let real = FileName.withPath(path, { realpath($0, nil) }) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
