import Synchronization
import TestSupport
import Testing

@testable import Storage

/// Who leads, who waits, and in which order.
struct WriteQueueTests {
    /// What each caller was told, in order.
    private final class Callers: Sendable {
        private let woken = Mutex<[(caller: Int, leads: Bool)]>([])

        /// Returns who was woken since the last call.
        func takeWoken() -> [(caller: Int, leads: Bool)] {
            woken.withLock { woken in
                defer { woken = [] }
                return woken
            }
        }

        func entry(_ caller: Int) -> WriteQueue.Entry {
            WriteQueue.Entry(
                isFinal: true, perform: { _, _ in WriteQueue.Performed(failure: nil, topics: [], actions: []) },
                finish: { _ in }, wake: { leads in self.woken.withLock { $0.append((caller, leads)) } })
        }
    }

    @Test func `the first caller leads, and those who come later wait for it`() {
        let (queue, callers) = (WriteQueue(), Callers())
        #expect(queue.join(callers.entry(0)))
        #expect(!queue.join(callers.entry(1)) && !queue.join(callers.entry(2)))
        #expect(queue.takeWaiting().count == 3 && queue.takeWaiting().isEmpty)
        // Nobody came meanwhile, so the next caller leads again.
        queue.handOver([])
        #expect(callers.takeWoken().isEmpty)
        #expect(queue.join(callers.entry(3)))
    }

    @Test func `what did not fit comes before what came later, and its first leads`() {
        let (queue, callers) = (WriteQueue(), Callers())
        for caller in 0..<4 { _ = queue.join(callers.entry(caller)) }
        let group = queue.takeWaiting()
        #expect(!queue.join(callers.entry(4)))
        queue.handOver(group[2...])
        let leaders = callers.takeWoken()
        #expect(leaders.map(\.caller) == [2] && leaders.allSatisfy(\.leads))
        for entry in queue.takeWaiting() { entry.wake(false) }
        #expect(callers.takeWoken().map(\.caller) == [2, 3, 4])
    }

    /// Callers come at any step, and each leader takes on as many as it likes.
    @Test(arguments: 0..<40 as Range<UInt64>)
    func `at most one leads, and all are served in the order in which they came`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (queue, callers) = (WriteQueue(), Callers())
        var (served, leaders, came, group): ([Int], [Int], Int, [WriteQueue.Entry]?) = ([], [], 0, nil)
        while served.count < 60 {
            if came < 60, Bool.random(using: &generator) {
                if queue.join(callers.entry(came)) { leaders.append(came) }
                came += 1
            }
            #expect(leaders.count <= 1, "seed \(seed)")
            guard let leader = leaders.first else { continue }
            if let entries = group {
                let count = Int.random(in: 1...entries.count, using: &generator)
                served.append(leader)
                leaders = []
                for entry in entries.prefix(count).dropFirst() { entry.wake(false) }
                queue.handOver(entries[count...])
                group = nil
            } else {
                group = queue.takeWaiting()
            }
            for (caller, leads) in callers.takeWoken() {
                if leads { leaders.append(caller) } else { served.append(caller) }
            }
        }
        #expect(served == Array(0..<60), "seed \(seed)")
    }
}
