import Threading

/// The continuation of the task that waits for a response; resumed exactly once.
typealias ResponseReply = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

/// What other threads ask of a client's own thread, which alone calls libcurl.
enum TransferCommand: Sendable {
    case send(HTTPRequest, id: UInt64, ResponseReply)
    case cancel(id: UInt64)
    case close(CheckedContinuation<Void, Never>?)

    /// Resumes the waiting task with the error that the client was closed.
    func abandon() {
        switch self {
        case .send(_, _, let reply): reply.resume(returning: .failure(.closed))
        case .cancel: break
        case .close(let closed): closed?.resume()
        }
    }
}

/// The commands that wait for a client's thread.
typealias TransferQueue = CommandQueue<TransferCommand>
