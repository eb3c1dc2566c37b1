/// An error of a program that did not run to its end. If it was started, it and its children have been stopped.
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
    /// A message that can be part of a sentence, without a full stop.
    package var description: String {
        switch self {
        case .notStarted(let error): error.description
        case .timedOut: "it timed out"
        case .tooMuchOutput(let limit): "it wrote more than \(limit) bytes and was stopped"
        case .cancelled: "it was cancelled"
        }
    }
}
