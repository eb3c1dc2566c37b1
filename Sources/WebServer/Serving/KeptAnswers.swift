import CMicroHTTPD
import Synchronization

/// Answers that hold for a while, each ready as the library sends it. A request that is the same to the last byte, from the same
/// machine, gets the same answer, and no handler is asked.
final class KeptAnswers: Sendable {
    private struct State {
        var answers: [[UInt8]: KeptAnswer] = [:]
        var size = 0
    }

    private let state = Mutex(State())
    /// The bytes of answers that are kept, about.
    private static let maximumSize = 8 << 20
    /// What an answer costs besides its body.
    private static let overhead = 1 << 10

    /// Returns the answer to the request with this head, if it still holds.
    func answer(to head: [UInt8]) -> KeptAnswer? {
        state.withLock { $0.answers[head] }.flatMap { $0.holds() ? $0 : nil }
    }

    /// Keeps the answer to a request. When there is no more room, all that was kept before goes.
    func keep(_ answer: KeptAnswer, for head: [UInt8], size: Int) {
        let size = size + head.count + Self.overhead
        guard size <= Self.maximumSize / 8 else { return }
        state.withLock { state in
            if state.size + size > Self.maximumSize { state = State() }
            if state.answers.updateValue(answer, forKey: head) == nil { state.size += size }
        }
    }

    /// Whether nothing is kept.
    var isEmpty: Bool { state.withLock(\.answers.isEmpty) }
}

/// One answer as the library has it.
///
/// Sendable: the library counts the uses of a response, from any thread.
final class KeptAnswer: @unchecked Sendable {
    let response: OpaquePointer
    let status: UInt32
    let isToKnownClient: Bool
    let holds: @Sendable () -> Bool
    private let library: MicroHTTPD

    /// Takes over one use of `response`.
    init(
        _ response: OpaquePointer, status: UInt32, _ answer: HTTPResponse, holds: @escaping @Sendable () -> Bool,
        library: MicroHTTPD
    ) {
        self.response = response
        self.status = status
        isToKnownClient = answer.isToKnownClient
        self.holds = holds
        self.library = library
    }

    deinit { library.functions.pointee.MHD_destroy_response(response) }
}
