import Glibc
package import HubKit
import Storage

extension DictofunPlugin {
    /// The largest file that a page may send in pieces.
    private static let uploadLimit = 4 << 30
    /// The time after which a file that was not completed is deleted, in seconds.
    private static let uploadAge = 86_400

    /// Adds a piece to a file that a page sends, from `offset` on; with `isLast` the file is imported. `changedAt` is the time of
    /// its last change.
    ///
    /// Throws `invalid` for an id that is not 8 to 64 letters and digits, and `conflict` for a piece that does not continue the file.
    package func upload(
        _ id: String, name: String, offset: Int, _ bytes: [UInt8], isLast: Bool, changedAt: Instant? = nil,
        operation: Operation
    ) async throws -> RecordImportItem? {
        guard (8...64).contains(id.utf8.count), id.utf8.allSatisfy({ Self.isPlain($0) }) else {
            throw HubError(field: "upload", "must be 8 to 64 letters and digits")
        }
        guard offset >= 0, offset + bytes.count <= Self.uploadLimit else {
            throw HubError(.invalid, code: "upload-too-large", "the file is larger than 4 GB")
        }
        let folder = sounds.temporary + "/uploads"
        do throws(SystemError) { try Directory.make(folder) } catch { throw HubError(storeFile: error) }
        let path = "\(folder)/\(id)"
        if offset == 0 { forgetUploads(in: folder) }
        try Self.write(bytes, to: path, at: offset)
        guard isLast else { return nil }
        defer { unlink(path) }
        if let changedAt {
            let time = timespec(tv_sec: Int(changedAt.milliseconds / 1000), tv_nsec: 0)
            utimensat(AT_FDCWD, path, [time, time], 0)
        }
        return try await importFile(path, name: name, operation: operation)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }

    private static func write(_ bytes: [UInt8], to path: String, at offset: Int) throws {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (offset == 0 ? O_TRUNC : 0)
        let descriptor = open(path, flags, 0o600)
        guard descriptor >= 0 else { throw HubError(storeFile: SystemError("open \(path)")) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, Int(status.st_size) == offset else {
            throw HubError(
                .conflict, code: "upload-gap", "the chunk does not continue the file", hint: "send the file again")
        }
        var place = offset
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(place)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw HubError(storeFile: SystemError("write \(path)")) }
            rest = rest.dropFirst(count)
            place += count
        }
    }

    private func forgetUploads(in folder: String) {
        guard let handle = try? DirectoryHandle(folder) else { return }
        let limit = Int(clock.now.milliseconds / 1000) - Self.uploadAge
        for name in (try? handle.names(limit: 1000)) ?? [] {
            guard let status = try? handle.status(name, followingLinks: false), status.st_mtim.tv_sec < limit else {
                continue
            }
            unlink("\(folder)/\(name)")
        }
    }
}
