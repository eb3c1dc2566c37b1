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

    /// The state after the link was lost: files have no middle to go on from.
    package var afterInterruption: TransferState {
        if case .running(_, let size) = self { .described(size: size) } else { self }
    }

    /// The time left, from the bytes received in `elapsed`; nil when nothing can be said yet.
    package static func timeLeft(received: Int, total: Int, elapsed: Duration) -> Duration? {
        guard received > 0, total >= received, elapsed > .zero else { return nil }
        return elapsed * (Double(total - received) / Double(received))
    }
}
