import Glibc
import Storage
package import System

/// Files that are sent to this process in pieces, until they are complete.
package struct UploadFolder: Sendable {
    /// The time after which a file that was not completed is deleted, in seconds.
    private static let age = 86_400
    /// The most files that are not complete, and how many of the largest size they may have together.
    private static let (maximumCount, maximumSize) = (64, 10)

    private let directory: String
    private let clock: any Clock
    private let limit: Int

    /// Names the folder `directory`, which is made when it is needed; `limit` is the largest file, in bytes.
    package init(_ directory: String, clock: any Clock, limit: Int) {
        self.directory = directory
        self.clock = clock
        self.limit = limit
    }

    /// The path of the file that is sent as `id`.
    package func path(of id: String) -> String { "\(directory)/\(id)" }

    /// Returns the number of bytes that are there of a file.
    package func size(of id: String) -> Int {
        var status = stat()
        return Self.isID(id) && stat(path(of: id), &status) == 0 ? Int(status.st_size) : 0
    }

    /// Adds a piece to a file, from `offset` on; 0 begins it again.
    ///
    /// Throws `invalid` for an id that is not 8 to 64 letters and digits, or a file that is too large, and `conflict` with the code
    /// `upload-gap` for a piece that does not continue the file.
    /// - Returns: the number of bytes that are there now.
    package func add(_ bytes: [UInt8], to id: String, at offset: Int) throws -> Int {
        guard Self.isID(id) else { throw HubError(field: "upload", "must be 8 to 64 letters and digits") }
        guard offset >= 0, offset + bytes.count <= limit else {
            throw HubError(
                .invalid, code: "upload-too-large", "the file is larger than \(NumberFormat.grouped(limit >> 20)) MiB")
        }
        do throws(SystemError) { try Directory.make(directory) } catch { throw HubError(storeFile: error) }
        if offset == 0 { try removeOld() }
        try write(bytes, to: path(of: id), at: offset)
        return offset + bytes.count
    }

    /// Deletes a file.
    package func remove(_ id: String) { if Self.isID(id) { unlink(path(of: id)) } }

    private static func isID(_ id: String) -> Bool {
        (8...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            }
    }

    private func write(_ bytes: [UInt8], to path: String, at offset: Int) throws {
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

    private func removeOld() throws {
        guard let handle = try? DirectoryHandle(directory) else { return }
        let names = (try? handle.names(limit: 10_000)) ?? []
        let oldest = Int(clock.now.milliseconds / 1000) - Self.age
        var (count, size) = (0, 0)
        for name in names {
            guard let status = try? handle.status(name, followingLinks: false) else { continue }
            if status.st_mtim.tv_sec < oldest {
                try? handle.remove(name)
            } else {
                (count, size) = (count + 1, size + Int(status.st_size))
            }
        }
        guard count <= Self.maximumCount, size <= Self.maximumSize * limit else {
            throw HubError(.busy, code: "too-many-uploads", "too many files are being sent", hint: "try again later")
        }
    }
}
