import Glibc
import System

/// The bytes of a descriptor in chunks, each read when it is asked for.
struct DescriptorStream: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    private static let chunkSize = 64 << 10

    private let descriptor: Int32

    /// Reads `descriptor`, which stays open.
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func makeAsyncIterator() -> Iterator { Iterator(descriptor: descriptor) }

    struct Iterator: AsyncIteratorProtocol {
        fileprivate let descriptor: Int32

        /// The next chunk; nil at the end.
        mutating func next() async throws -> [UInt8]? {
            let descriptor = descriptor
            do throws(SystemError) {
                let bytes = try await BackgroundThread.run { () throws(SystemError) in
                    try readChunk(descriptor)
                } whenRefused: {
                    $0
                }
                return bytes.isEmpty ? nil : bytes
            } catch {
                throw HubError(
                    .invalid, code: "cannot-read", "cannot read the input", details: [error.description], cause: error)
            }
        }
    }

    /// Returns the available bytes, waiting for the first one; empty at the end.
    private static func readChunk(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, filled in
            repeat { count = read(descriptor, buffer.baseAddress, chunkSize) } while count < 0 && errno == EINTR
            filled = Swift.max(0, count)
        }
        guard count >= 0 else { throw SystemError("read") }
        return bytes
    }
}
