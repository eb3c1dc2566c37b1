import Glibc
import System

/// A folder with one card per file (vdir), as used by khard and vdirsyncer.
struct CardFolder: Sendable {
    /// The outcome of writing a card.
    enum Outcome: Sendable {
        case written, unchanged
    }

    /// The maximum number of folders and files that are read.
    private static let maximumCount = 1_000_000
    private static let maximumFileLength = 64 << 20

    /// The path of the folder.
    let path: String

    /// Whether `path` is a folder.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return FileName.withPath(path) { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The content of a folder, as relative paths in byte order.
    struct Listing: Sendable {
        /// The card files.
        var files: [String] = []
        /// Other files, by their names.
        var passedOver: [String] = []
        /// Folders that could not be read.
        var unreadable: [Unreadable] = []
    }

    /// A folder that could not be read, with the reason.
    struct Unreadable: Sendable {
        let name: String
        let reason: String
    }

    /// The maximum depth of nested folders.
    private static let maximumDepth = 16
    /// The metadata files of a vdir with its name and color.
    private static let vdirNames: Set<String> = ["displayname", "color", "description", "order"]

    /// Lists the card files in the folder and its subfolders; each folder is read once, wherever links lead. Hidden and
    /// temporary files are left out. Throws if the folder itself cannot be read.
    func listing() throws(HubError) -> Listing {
        var listing = Listing()
        var visited: Set<[UInt64]> = []
        try list("", depth: 0, &visited, &listing)
        func inOrder(_ names: [String]) -> [String] {
            names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        }
        listing.files = inOrder(listing.files)
        listing.passedOver = inOrder(listing.passedOver)
        return listing
    }

    private func list(
        _ folder: String, depth: Int, _ visited: inout Set<[UInt64]>, _ listing: inout Listing
    ) throws(HubError) {
        var status = stat()
        guard FileName.withPath(folder.isEmpty ? path : "\(path)/\(folder)", { stat($0, &status) }) == 0,
            visited.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted
        else { return }
        for entry in try entries(folder) {
            let name = folder.isEmpty ? entry : "\(folder)/\(entry)"
            if CardFolder.exists(at: "\(path)/\(name)") {
                do throws(HubError) {
                    guard depth < CardFolder.maximumDepth else {
                        listing.unreadable.append(Unreadable(name: name, reason: "folder nested too deeply"))
                        continue
                    }
                    try list(name, depth: depth + 1, &visited, &listing)
                } catch {
                    let reason = ([error.message] + error.details).joined(separator: ": ")
                    listing.unreadable.append(Unreadable(name: name, reason: reason))
                }
            } else if CardFolder.isCardName(entry) {
                listing.files.append(name)
            } else if !CardFolder.vdirNames.contains(entry), !entry.hasSuffix(".tmp"), !entry.hasSuffix("~") {
                listing.passedOver.append(name)
            }
        }
    }

    private static func isCardName(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".vcf") || name.hasSuffix(".vcard")
    }

    /// Whether `path` is a symbolic link.
    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Creates the folder and its missing parents.
    func make() throws(HubError) {
        do throws(SystemError) {
            try Directory.make(path)
        } catch {
            throw CardFolder.failure(path, error.code)
        }
        guard CardFolder.exists(at: path) else { throw CardFolder.failure(path, ENOTDIR) }
    }

    /// Writes a card atomically; a file with the same bytes is not changed.
    func write(_ bytes: [UInt8], as name: String) throws(HubError) -> Outcome {
        let file = "\(path)/\(name)"
        if let old = try? BoundedFile.read(file, limit: CardFolder.maximumFileLength), old == bytes {
            return .unchanged
        }
        // Other programs ignore names with this suffix.
        let beside = "\(file).tmp"
        let descriptor = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw CardFolder.failure(file, errno) }
        var start = 0
        var reason: Int32 = 0
        while start < bytes.count, reason == 0 {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { start += count } else if errno != EINTR { reason = errno }
        }
        if reason == 0, fsync(descriptor) != 0 { reason = errno }
        close(descriptor)
        if reason == 0, rename(beside, file) != 0 { reason = errno }
        guard reason == 0 else {
            unlink(beside)
            throw CardFolder.failure(file, reason)
        }
        return .written
    }

    /// Syncs the written names to disk.
    func sync() {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func entries(_ name: String) throws(HubError) -> [String] {
        let folder = name.isEmpty ? path : "\(path)/\(name)"
        guard let directory = FileName.withPath(folder, { opendir($0) }) else {
            throw CardFolder.failure(folder, errno)
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory), names.count < CardFolder.maximumCount {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
                    RawText.text(
                        ByteString(UnsafeBufferPointer(start: start, count: strnlen(UnsafeRawPointer(start), 256))))
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func failure(_ path: String, _ reason: Int32) -> HubError {
        HubError(
            reason == ENOENT ? .notFound : reason == ENOSPC || reason == EDQUOT ? .busy : .denied,
            code: "folder-unusable", "cannot use \(TerminalSanitizer.line(path))",
            details: [String(cString: strerror(reason))],
            hint: "use another folder")
    }
}
