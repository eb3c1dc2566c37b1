/// Takes the bytes of a streamed body. Only one task writes, so it cannot be copied or captured.
package struct BodyWriter: ~Copyable {
    let exchange: Exchange

    /// Sends `bytes`, waiting while the client is slower than the writer.
    ///
    /// Throws `CancellationError` when the client has gone away or the server stops.
    package func write(_ bytes: [UInt8]) async throws {
        while true {
            try Task.checkCancellation()
            switch exchange.offer(bytes) {
            case .accepted: return
            case .gone: throw CancellationError()
            case .full: await exchange.room()
            }
        }
    }
}
