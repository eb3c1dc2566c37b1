import Glibc
import MinteeDomain
import System

/// Reads the files of an import. It knows which files belong together, but no formats.
enum ImportFiles {
    /// The maximum number of files of a folder that are read.
    private static let maximumCount = 20_000
    /// Two files that are only useful together.
    private static let pair = ["habits", "log"]

    /// Whether the file at `path` is an export of hub with more than `limit` bytes.
    static func isOwnExport(_ path: String, largerThan limit: Int) throws(HubError) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit else { return false }
        let start = try ChunkedFileReader(path: path).next() ?? []
        return ImportBundle.isOwnExport(startingWith: start)
    }

    /// Reads the file at `path`, together with its counterpart if it is `habits` or `log`; or the files of a folder and
    /// of the folders directly in it. Throws `not-found`, `denied`, or `invalid` if too large, a device, or a pipe to which
    /// nothing was written.
    static func read(_ path: String) throws(HubError) -> ImportBundle {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if isFolder(path) {
            do throws(SystemError) { return try folder(path, name) } catch { throw failure(path, error) }
        }
        func read(_ path: String) throws(HubError) -> [UInt8] {
            try ChunkedFileReader.contents(of: path, limit: ImportBundle.maximumLength)
        }
        let file = ImportBundle.File(name, try read(path))
        guard let other = partner(of: path) else { return ImportBundle(loopFolder(of: path) ?? name, [file]) }
        let second = try read(sibling(of: path, other))
        let folder = path.split(separator: "/").dropLast().last.map(String.init) ?? "."
        return ImportBundle(folder, [file, ImportBundle.File(other, second)])
    }

    /// The folder of one habit in which Loop's `Checkmarks.csv` lies, `001 Run`: it alone names the habit.
    private static func loopFolder(of path: String) -> String? {
        let parts = path.split(separator: "/")
        guard parts.last == "Checkmarks.csv", let folder = parts.dropLast().last else { return nil }
        let digits = folder.prefix { ("0"..."9").contains($0) }
        return digits.count >= 3 && folder.dropFirst(digits.count).first == " " ? String(folder) : nil
    }

    /// Returns the name of the counterpart of `habits` or `log` in the same folder; nil if there is none.
    static func partner(of path: String) -> String? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard pair.contains(name), let other = pair.first(where: { $0 != name }) else { return nil }
        var status = stat()
        let found = stat(sibling(of: path, other), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return found ? other : nil
    }

    private static func sibling(of path: String, _ name: String) -> String {
        let own = path.split(separator: "/").last ?? ""
        return "\(path.dropLast(own.count))\(name)"
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    private static func folder(_ path: String, _ name: String) throws(SystemError) -> ImportBundle {
        var files: [ImportBundle.File] = []
        var length = 0
        let folder = try DirectoryHandle(path)
        try add(folder, "", to: &files, &length)
        for entry in try folder.names(limit: maximumCount) where !entry.isHidden {
            guard let status = try folder.status(entry), status.st_mode & S_IFMT == S_IFDIR else { continue }
            try add(try folder.folder(entry), "\(entry)/", to: &files, &length)
        }
        return ImportBundle(name, files)
    }

    private static func add(
        _ folder: DirectoryHandle, _ prefix: String, to files: inout [ImportBundle.File], _ length: inout Int
    ) throws(SystemError) {
        for entry in try folder.names(limit: maximumCount) where !entry.isHidden {
            let isText = [".csv", ".json", ".ics"].contains { entry.hasSuffix($0) } || pair.contains("\(entry)")
            guard isText, let status = try folder.status(entry), status.st_mode & S_IFMT == S_IFREG else { continue }
            let bytes = try folder.read(entry, limit: ImportBundle.maximumLength)
            length += bytes.count
            guard length <= ImportBundle.maximumTotal, files.count < maximumCount else {
                throw SystemError("read \(folder.path)", code: EFBIG)
            }
            files.append(ImportBundle.File("\(prefix)\(entry)", bytes))
        }
    }

    private static func failure(_ path: String, _ error: SystemError) -> HubError {
        let reason = error.code == EFBIG ? "the file is too large" : String(cString: strerror(error.code))
        return HubError(
            error.code == ENOENT ? .notFound : error.code == EACCES || error.code == EPERM ? .denied : .invalid,
            code: "cannot-read", "cannot read \(TerminalSanitizer.line(path))", details: [reason])
    }
}
