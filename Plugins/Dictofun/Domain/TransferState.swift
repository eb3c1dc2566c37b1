/// How far a file of a recorder has come.
package enum TransferState: Hashable, Sendable {
    /// It was listed; its size is not known.
    case listed
    /// Its size is known, nothing of it is here.
    case described(size: Int)
    case running(received: Int, size: Int)
    /// It is durable here.
    case stored(size: Int)

    /// The received share, 0...1.
    package var fraction: Double {
        switch self {
        case .listed, .described: 0
        case .running(let received, let size): size == 0 ? 1 : Double(received) / Double(size)
        case .stored: 1
        }
    }
}
