import CMicroHTTPD
import Synchronization

/// Answers that hold for a while, each ready as the library sends it. A request that is the same to the last byte, from the same
/// machine, gets the same answer, and no handler is asked.
final class KeptAnswers: Sendable {
    private struct State {
        private(set) var answers: [[UInt8]: (answer: KeptAnswer, size: Int)] = [:]
        private(set) var size = 0

        mutating func add(_ answer: KeptAnswer, for head: [UInt8], size: Int) {
            answers[head] = (answer, size)
            self.size += size
        }

        mutating func remove(_ head: [UInt8]) -> KeptAnswer? {
            guard let (answer, size) = answers.removeValue(forKey: head) else { return nil }
            self.size -= size
            return answer
        }
    }

    private let state = Mutex(State())
    /// The most bytes of answers that are kept, about.
    static let maximumSize = 8 << 20
    /// What an answer costs besides its body.
    private static let overhead = 1 << 10

    /// Returns the answer to the request with this head, if it still holds; else it is forgotten.
    func answer(to head: [UInt8]) -> KeptAnswer? {
        guard let answer = state.withLock({ $0.answers[head]?.answer }) else { return nil }
        if answer.holds() { return answer }
        _ = state.withLock { $0.remove(head) }
        return nil
    }

    /// Keeps the answer to a request in place of an older one. When there is no more room, all that was kept before goes.
    func keep(_ answer: KeptAnswer, for head: [UInt8], size: Int) {
        let size = size + head.count + Self.overhead
        // What goes is freed after the lock.
        let gone = state.withLock { state -> (KeptAnswer?, State?) in
            let old = state.remove(head)
            guard size <= Self.maximumSize / 8 else { return (old, nil) }
            var all: State?
            if state.size + size > Self.maximumSize { (all, state) = (state, State()) }
            state.add(answer, for: head, size: size)
            return (old, all)
        }
        withExtendedLifetime(gone) {}
    }

    /// The bytes of answers that are kept, about.
    var size: Int { state.withLock(\.size) }

    /// Whether nothing is kept.
    var isEmpty: Bool { state.withLock(\.answers.isEmpty) }
}

/// One answer as the library has it.
///
/// Sendable: all of it is constant. Only a use of the response ends, with the last reference, and the library counts these under
/// a lock of the response.
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
