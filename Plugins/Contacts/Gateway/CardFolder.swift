import Glibc
import HubKit

/// A folder of cards, one file for each (vdir), as khard and vdirsyncer keep them.
struct CardFolder: Sendable {
    /// What was done with a card that was to be written.
    enum Outcome: Sendable {
        case written, unchanged
    }

    /// The most folders and files that are looked at.
    private static let maximumCount = 1_000_000
    private static let maximumFileLength = 64 << 20

    /// Where the folder is.
    let path: String

    /// Whether `path` is a folder.
    static func exists(at path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The files of cards as paths below the folder, in the order of their bytes: its own, and those of the folders
    /// directly in it, for a collection of address books. Hidden and half-written files are left out.
    func files() throws(HubError) -> [String] {
        var files: [String] = []
        for name in try entries("") {
            if name.hasSuffix(".vcf") {
                files.append(name)
            } else if CardFolder.exists(at: "\(path)/\(name)") {
                files += try entries(name).filter { $0.hasSuffix(".vcf") }.map { "\(name)/\($0)" }
            }
        }
        return files.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
    }

    /// Makes the folder and all above it that is missing.
    func make() throws(HubError) {
        do throws(SystemError) {
            try Folder.make(path)
        } catch {
            throw CardFolder.failure(path, error.code)
        }
        guard CardFolder.exists(at: path) else { throw CardFolder.failure(path, ENOTDIR) }
    }

    /// Writes a card under its whole name or not at all; a file that holds the same bytes is left alone.
    func write(_ bytes: [UInt8], as name: String) throws(HubError) -> Outcome {
        let file = "\(path)/\(name)"
        if let old = try? SmallFile.read(file, limit: CardFolder.maximumFileLength), old == bytes { return .unchanged }
        // Other programs on the folder pass over names that end so.
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

    /// Brings the names that were written to the disk.
    func sync() {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    private func entries(_ name: String) throws(HubError) -> [String] {
        let folder = name.isEmpty ? path : "\(path)/\(name)"
        guard let directory = opendir(folder) else { throw CardFolder.failure(folder, errno) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory), names.count < CardFolder.maximumCount {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func failure(_ path: String, _ reason: Int32) -> HubError {
        HubError(
            reason == ENOENT ? .notFound : reason == ENOSPC || reason == EDQUOT ? .busy : .denied,
            code: "folder-unusable", "cannot use \(PrintableText.line(path))",
            details: [String(cString: strerror(reason))],
            hint: "name another folder")
    }
}
