import Synchronization
import TestSupport
import Testing

@testable import Storage

/// When the writer is called, and in which order it takes what waits.
struct WriteQueueTests {
    /// The callers that were woken, in order.
    private final class Callers: Sendable {
        private let woken = Mutex<[Int]>([])

        /// Returns who was woken since the last call.
        func takeWoken() -> [Int] {
            woken.withLock { woken in
                defer { woken = [] }
                return woken
            }
        }

        func entry(_ caller: Int) -> WriteQueue.Entry {
            WriteQueue.Entry(
                isFinal: true, perform: { _, _ in WriteQueue.Performed(failure: nil, topics: [], actions: []) },
                finish: { _ in }, wake: { self.woken.withLock { $0.append(caller) } })
        }
    }

    @Test func `the first caller calls the writer, and so does the first that comes while it works`() {
        let (queue, callers) = (WriteQueue(), Callers())
        #expect(queue.join(callers.entry(0)))
        #expect(!queue.join(callers.entry(1)) && !queue.join(callers.entry(2)))
        #expect(queue.takeWaiting().count == 3)
        #expect(queue.join(callers.entry(3)) && !queue.join(callers.entry(4)))
        #expect(!queue.putBack([]))
        #expect(queue.takeWaiting().count == 2 && queue.takeWaiting().isEmpty)
        #expect(callers.takeWoken().isEmpty)
    }

    @Test(arguments: [false, true])
    func `what did not fit comes before what came later, and the writer is called for it once`(comes: Bool) {
        let (queue, callers) = (WriteQueue(), Callers())
        for caller in 0..<4 { _ = queue.join(callers.entry(caller)) }
        let group = queue.takeWaiting()
        if comes { #expect(queue.join(callers.entry(4))) }
        #expect(queue.putBack(group[2...]) == !comes)
        #expect(!queue.join(callers.entry(5)))
        for entry in queue.takeWaiting() { entry.wake() }
        #expect(callers.takeWoken() == (comes ? [2, 3, 4, 5] : [2, 3, 5]))
    }

    /// Callers come at any step, and the writer takes on as many as it likes.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the writer is called once for all that wait, and serves them in the order in which they came`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (queue, callers) = (WriteQueue(), Callers())
        var (served, calls, came, group): ([Int], Int, Int, [WriteQueue.Entry]?) = ([], 0, 0, nil)
        while served.count < 60 {
            if came < 60, Bool.random(using: &generator) {
                if queue.join(callers.entry(came)) { calls += 1 }
                came += 1
            }
            #expect(calls <= 1, "seed \(seed)")
            if let entries = group {
                let count = Int.random(in: 1...entries.count, using: &generator)
                for entry in entries.prefix(count) { entry.wake() }
                if queue.putBack(entries[count...]) { calls += 1 }
                group = nil
            } else if calls == 1 {
                calls = 0
                group = queue.takeWaiting()
                #expect(group?.isEmpty == false, "seed \(seed)")
            }
            served += callers.takeWoken()
        }
        #expect(served == Array(0..<60), "seed \(seed)")
    }
}
