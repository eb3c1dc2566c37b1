/// A destination for bytes: a stream of the process, a pager, a file, or a buffer in tests.
package protocol ByteSink: Sendable {
    /// Writes all bytes, waiting while the other side is slow.
    func write(_ bytes: [UInt8]) throws(SinkError)
}

/// An error while writing bytes.
package enum SinkError: Error, Equatable {
    /// The reader is gone, as when `head` has seen enough; no reason to complain.
    case closed
    /// The system refused, with its error number.
    case system(Int32)
}
