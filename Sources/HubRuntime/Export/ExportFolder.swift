import Commands
import Glibc
import Hashing
import HubKit
import Storage

/// The folder that `hub export` writes.
///
/// A file appears whole or not at all, and one with the same bytes is not touched. So an export can be repeated after any end of the
/// process, and a backup of the folder stores only what has changed.
final class ExportFolder {
    /// The name of the description of an export.
    static let description = "hub-export.json"
    /// The name of the list of hashes, in the form of sha256sum.
    static let manifest = "manifest.sha256"
    /// The file that is there while an export is written; the next files are made under names that begin with it.
    static let unfinished = ".hub-export"

    /// The path.
    let path: String
    /// The hashes of the files so far, by their paths.
    private(set) var hashes: [String: String] = [:]
    /// The numbers of files that were written, and of those that were there with the same bytes.
    private(set) var written = 0, unchanged = 0
    /// The paths in use, as a file system compares them that takes upper and lower case for one.
    private var taken: Set<String> = []
    private var made: Set<String> = []
    private let lock: Int32

    /// Opens or makes the folder. Throws when it has files of others, or when another export is being written into it.
    init(_ path: String, isForced: Bool) throws {
        self.path = path
        try Self.requireHashes()
        try Directory.make(path)
        let names = try DirectoryHandle(path).names().map { "\($0)" }
        let isExport = names.contains(Self.description) || names.contains(Self.unfinished)
        guard names.isEmpty || isExport || isForced else {
            throw HubError(
                .usage, code: "folder-not-empty",
                "\(TerminalSanitizer.line(path)) has other files, and is not an export of hub",
                details: ["nothing was written"], hint: "choose a new folder, or add to this one with --force")
        }
        lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw SystemError("open \(path)") }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            close(lock)
            throw HubError(
                .busy, code: "export-running", "another export is being written to \(TerminalSanitizer.line(path))",
                hint: "wait for its end")
        }
        for name in [Self.description, Self.manifest, Self.unfinished] { taken.insert(name) }
    }

    deinit { close(lock) }

    /// Returns a free path for a file that wants `wanted`, with names that every file system can have.
    func place(_ wanted: String) -> String {
        let parts = wanted.split(separator: "/", omittingEmptySubsequences: true).map { ExportName.safe(String($0)) }
        let path = parts.isEmpty ? "_" : parts.joined(separator: "/")
        var (result, number) = (path, 2)
        while !taken.insert(result.lowercased()).inserted {
            result = ExportName.numbered(path, number)
            number += 1
        }
        return result
    }

    /// Writes a file unless it is there with the same bytes.
    func write(_ bytes: [UInt8], to file: String) throws {
        let hash = try SHA256.hexadecimal(bytes)
        hashes[file] = hash
        if let size = size(of: file), size == bytes.count, try self.hash(of: file) == hash {
            unchanged += 1
            return
        }
        let part = try ExportPart(partPath)
        try part.write(bytes)
        try publish(part, as: file)
    }

    /// Writes the file of a blob unless it is there with the same bytes.
    func write(_ blob: BlobID, of blobs: BlobStore, to file: String) throws {
        hashes[file] = blob.text
        if let size = size(of: file), size == blobs.size(of: blob), try hash(of: file) == blob.text {
            unchanged += 1
            return
        }
        let reader = try blobs.reader(blob)
        let part = try ExportPart(partPath)
        while let bytes = try reader.next() { try part.write(bytes) }
        try publish(part, as: file)
    }

    /// Writes what `make` puts into a file at the path that it gets.
    func write(to file: String, _ make: (_ path: String) async throws -> Void) async throws {
        // The end of the name says which format is made.
        let part = partPath + (file.lastIndex(of: ".").map { String(file[$0...]) } ?? "")
        unlink(part)
        defer { unlink(part) }
        try await make(part)
        let hash = try Self.hash(ofFileAt: part)
        hashes[file] = hash
        if size(of: file) != nil, try self.hash(of: file) == hash {
            unchanged += 1
            return
        }
        try makeFolders(of: file)
        guard rename(part, path + "/" + file) == 0 else { throw SystemError("rename \(path)/\(file)") }
        written += 1
    }

    /// Begins a file that is written line by line.
    func part() throws -> ExportPart { try ExportPart(partPath + ".list") }

    /// Gives what was written its name, unless that is there with the same bytes.
    func publish(_ part: ExportPart, as file: String) throws {
        let hash = try part.finish()
        hashes[file] = hash
        if size(of: file) != nil, try self.hash(of: file) == hash {
            unlink(part.path)
            unchanged += 1
            return
        }
        try makeFolders(of: file)
        guard rename(part.path, path + "/" + file) == 0 else { throw SystemError("rename \(path)/\(file)") }
        written += 1
    }

    /// Removes the files of the last export that this one does not have, unless they were changed since.
    /// - Returns: the numbers of those that were removed, and of those that were left since they have other bytes.
    func removeOldFiles() throws -> (removed: Int, changed: Int) {
        guard size(of: Self.manifest) != nil else { return (0, 0) }
        var (removed, changed) = (0, 0)
        for (file, old) in try Manifest(path + "/" + Self.manifest).hashes where hashes[file] == nil {
            guard size(of: file) != nil else { continue }
            guard try hash(of: file) == old else {
                changed += 1
                continue
            }
            unlink(path + "/" + file)
            removed += 1
            // Folders that are empty then; rmdir removes no others.
            var folder = file
            while let slash = folder.lastIndex(of: "/") {
                folder = String(folder[..<slash])
                guard rmdir(path + "/" + folder) == 0 else { break }
            }
        }
        return (removed, changed)
    }

    /// Begins the export: without its end, the folder says that it is unfinished.
    func begin() throws {
        for name in try DirectoryHandle(path).names() where "\(name)".hasPrefix(Self.unfinished + ".") {
            unlink("\(path)/\(name)")
        }
        _ = try ExportPart(path + "/" + Self.unfinished)
    }

    /// Ends the export: brings all files to the disk, then their hashes, and then `description`.
    func end(_ description: (_ manifest: String) -> [UInt8]) throws {
        try DirectoryHandle(path).flushAll()
        let lines = hashes.sorted { $0.key < $1.key }.map { "\($0.value)  \($0.key)\n" }.joined()
        try replace(Self.manifest, with: Array(lines.utf8))
        try replace(Self.description, with: description(try SHA256.hexadecimal(lines.utf8)))
        unlink(path + "/" + Self.unfinished)
    }

    private func replace(_ name: String, with bytes: [UInt8]) throws {
        let file = try AtomicFile(path: path + "/" + name, newFileMode: 0o600)
        try file.write(bytes)
        try file.commit()
    }

    private var partPath: String { "\(path)/\(Self.unfinished).part" }

    private func makeFolders(of file: String) throws {
        guard let slash = file.lastIndex(of: "/") else { return }
        let folder = String(file[..<slash])
        guard made.insert(folder).inserted else { return }
        try Directory.make(path + "/" + folder)
    }

    /// Returns the size of a regular file of the folder; nil when it is not there.
    private func size(of file: String) -> Int? {
        var status = stat()
        guard lstat(path + "/" + file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private func hash(of file: String) throws -> String { try Self.hash(ofFileAt: path + "/" + file) }

    /// Throws `unavailable` when the library that computes hashes is missing.
    static func requireHashes() throws(HubError) {
        do throws(HashingError) {
            _ = try SHA256.hexadecimal([])
        } catch {
            throw HubError(
                .unavailable, code: "library-missing", "cannot compute the hashes of files",
                details: ["\(error)"], hint: "hub doctor names the package to install", cause: error)
        }
    }

    /// Returns the SHA-256 of bytes in hexadecimal digits.
    static func hash(of bytes: [UInt8]) throws -> String { try SHA256.hexadecimal(bytes) }

    /// Returns the SHA-256 of a file in hexadecimal digits.
    static func hash(ofFileAt path: String) throws -> String {
        let reader = try ChunkedFileReader(path: path, isRegular: true)
        var hash = try SHA256()
        while let bytes = try reader.next() { try hash.add(bytes) }
        return try hash.finishInHexadecimal()
    }
}

/// A file of an export that is being written.
final class ExportPart {
    let path: String
    private let descriptor: Int32
    private var hash: SHA256?

    init(_ path: String) throws {
        self.path = path
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw AtomicFile.failure(path, errno) }
        hash = try SHA256()
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
        try hash?.add(bytes)
        try DescriptorSink(descriptor).write(bytes)
    }

    /// Returns the SHA-256 of all that was written in hexadecimal digits.
    func finish() throws -> String {
        guard let hash = hash.take() else { return "" }
        return try hash.finishInHexadecimal()
    }
}

/// The hashes of the files of an export, as `sha256sum` writes and checks them.
struct Manifest {
    /// The hashes by the paths of the files.
    let hashes: [String: String]

    /// The largest manifest, in bytes.
    private static let limit = 1 << 30

    /// Reads the manifest at `path`; lines of another form are left out.
    init(_ path: String) throws {
        let bytes = try ChunkedFileReader.contents(of: path, limit: Self.limit, isRegular: true)
        var hashes: [String: String] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) where line.count > 66 {
            guard let hash = String(validating: line.prefix(64), as: UTF8.self), BlobID(hash) != nil,
                let name = String(validating: line.dropFirst(66), as: UTF8.self), ExportName.isPath(name)
            else { continue }
            hashes[name] = hash
        }
        self.hashes = hashes
    }
}

/// Names of files that every file system can have.
enum ExportName {
    /// The largest name, in bytes: file systems allow 255, and a number may come to it.
    private static let limit = 120
    private static let forbidden: Set<Unicode.Scalar> = ["/", "\\", ":", "*", "?", "\"", "<", ">", "|"]
    private static let devices: Set<String> = ["con", "prn", "aux", "nul"]

    /// Returns `name` with other signs in the place of those that some system does not allow.
    static func safe(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            scalars.append(forbidden.contains(scalar) || TerminalSanitizer.isHarmful(scalar) ? "_" : scalar)
        }
        var (stem, end) = parts(String(scalars))
        while stem.utf8.count + end.utf8.count > limit { stem.unicodeScalars.removeLast() }
        if stem.hasPrefix(".") { stem = "_" + stem.dropFirst() }
        var result = stem + end
        while let last = result.last, last == "." || last == " " { result.removeLast() }
        let first = result.split(separator: ".").first.map { $0.lowercased() } ?? ""
        let isDevice =
            devices.contains(first)
            || (first.utf8.count == 4 && (first.hasPrefix("com") || first.hasPrefix("lpt"))
                && first.last?.isNumber == true)
        return result.isEmpty || isDevice ? "_" + result : result
    }

    /// Returns a path with a number before the end of its name: `Notes/Tea (2).md`.
    static func numbered(_ path: String, _ number: Int) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let (stem, end) = parts(String(path[slash...]))
        return "\(path[..<slash])\(stem) (\(number))\(end)"
    }

    /// Whether this is a path of a file below a folder, and leads nowhere else.
    static func isPath(_ path: String) -> Bool {
        !path.isEmpty && !path.utf8.contains(0)
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".."
            }
    }

    /// The name without its end, and the end, such as `.md`.
    private static func parts(_ name: String) -> (stem: String, end: String) {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].utf8.count <= 12 else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }
}
