import Glibc
import Threading

/// Bytes of known length that a route sends, whole or in the part that the client asks for (RFC 9110 §14): a recording, a photo,
/// an attachment.
package struct RouteContent: Sendable {
    /// The number of bytes.
    package let length: Int
    /// The media type, such as `audio/wav`.
    package let contentType: String
    /// The text that distinguishes versions of the bytes, printable ASCII without quotes: a hash, or an id with a revision.
    package let version: String
    /// The name under which a browser saves the bytes; nil to show them instead.
    package let fileName: String?
    /// Returns the bytes of a range inside of `0..<length`, which is never longer than ``chunkSize``.
    package let read: @Sendable (Range<Int>) async throws -> [UInt8]

    /// The largest number of bytes that are read at once.
    package static let chunkSize = 64 << 10

    package init(
        length: Int, contentType: String, version: String, fileName: String? = nil,
        read: @escaping @Sendable (Range<Int>) async throws -> [UInt8]
    ) {
        self.length = length
        self.contentType = contentType
        self.version = version
        self.fileName = fileName
        self.read = read
    }

    /// The bytes of a regular file, which stays open until they are sent, and is read on threads that may wait for the disk. Throws
    /// `not-found` when there is no such file.
    package init(path: String, contentType: String, version: String, fileName: String? = nil) async throws {
        let file = try await BackgroundThread.run { try ContentFile(path) }
        self.init(length: file.length, contentType: contentType, version: version, fileName: fileName) { range in
            try await BackgroundThread.run { try file.read(range) }
        }
    }
}

/// An open file that is read at any place.
private final class ContentFile: Sendable {
    let length: Int
    private let descriptor: Int32

    init(_ path: String) throws(HubError) {
        CooperativePool.assertNotCurrent("RouteContent")
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        var status = stat()
        guard opened >= 0, fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            if opened >= 0 { close(opened) }
            throw HubError(.notFound, code: "file-missing", "the file is missing", hint: "hub doctor checks the store")
        }
        descriptor = opened
        length = Int(status.st_size)
    }

    deinit { close(descriptor) }

    func read(_ range: Range<Int>) throws(HubError) -> [UInt8] {
        CooperativePool.assertNotCurrent("RouteContent.read")
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            repeat {
                count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(range.lowerBound))
            } while count < 0 && errno == EINTR
            initialized = max(0, count)
        }
        guard count == range.count else {
            throw HubError(.internal, code: "file-cut", "the file became shorter while it was read")
        }
        return bytes
    }
}
