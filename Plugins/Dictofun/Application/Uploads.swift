import Glibc
package import HubKit
import Storage

extension DictofunPlugin {
    /// The largest file that a page may send in pieces.
    private static let uploadLimit = 4 << 30

    /// Where files are that a page sends in pieces.
    private var uploads: UploadFolder {
        UploadFolder(sounds.temporary + "/uploads", clock: clock, limit: Self.uploadLimit)
    }

    /// Returns the number of bytes that are here of a file that a page sends: what is lost with a connection goes on there.
    package func receivedSize(of id: String) async throws -> Int {
        try await BackgroundThread.run { [uploads] in uploads.size(of: id) }
    }

    /// Adds a piece to a file that a page sends, from `offset` on; with `isLast` the file is imported. `changedAt` is the time of
    /// its last change.
    ///
    /// Throws `invalid` for an id that is not 8 to 64 letters and digits, and `conflict` for a piece that does not continue the file.
    package func upload(
        _ id: String, name: String, offset: Int, _ bytes: [UInt8], isLast: Bool, changedAt: Instant? = nil,
        operation: Operation
    ) async throws -> RecordImportItem? {
        let uploads = uploads
        _ = try await BackgroundThread.run { try uploads.add(bytes, to: id, at: offset) }
        guard isLast else { return nil }
        let path = uploads.path(of: id)
        return try await sounds.removing(path) {
            if let changedAt {
                let time = timespec(tv_sec: Int(changedAt.milliseconds / 1000), tv_nsec: 0)
                utimensat(AT_FDCWD, path, [time, time], 0)
            }
            return try await importFile(path, name: name, operation: operation)
        }
    }
}
