/// Why a program did not come to its own end. Unless it was never started, it and its children were stopped.
package enum SubprocessError: Error, Equatable {
    /// It could not be started; no such program, for example.
    case notStarted(SystemError)
    case timedOut
    /// It wrote more than this many bytes.
    case tooMuchOutput(limit: Int)
    /// The task that ran it was cancelled.
    case cancelled
}

extension SubprocessError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notStarted(let error): error.description
        case .timedOut: "it took too long and was stopped"
        case .tooMuchOutput(let limit): "it wrote more than \(limit) bytes and was stopped"
        case .cancelled: "it was stopped"
        }
    }
}
