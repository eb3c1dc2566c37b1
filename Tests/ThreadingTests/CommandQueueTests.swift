import Glibc
import Synchronization
import Testing
import Threading

struct CommandQueueTests {
    /// What happened to the commands of a queue.
    private final class Log: Sendable {
        let wakes = Mutex(0)
        let abandoned = Mutex<[Int]>([])

        func queue() -> CommandQueue<Int> {
            CommandQueue(
                wake: { self.wakes.withLock { $0 += 1 } },
                abandon: { command in self.abandoned.withLock { $0.append(command) } })
        }
    }

    @Test func `commands are taken once, in the order in which they were sent`() {
        let log = Log()
        let queue = log.queue()
        #expect(queue.takeAll() == [])
        for command in 1...3 { queue.send(command) }
        #expect(queue.takeAll() == [1, 2, 3])
        #expect(queue.takeAll() == [])
        queue.send(4)
        #expect(queue.takeAll() == [4])
        // A thread that was woken takes all there is.
        #expect(log.wakes.withLock(\.self) == 2)
        #expect(log.abandoned.withLock(\.self) == [])
    }

    @Test func `a closed queue abandons what waits and what is sent later, and wakes nothing`() {
        let log = Log()
        let queue = log.queue()
        queue.send(1)
        queue.send(2)
        queue.close()
        queue.send(3)
        queue.close()
        #expect(queue.takeAll() == [])
        #expect(log.abandoned.withLock(\.self) == [1, 2, 3])
        #expect(log.wakes.withLock(\.self) == 1)
    }

    @Test func `an abandoned command may send another one`() {
        let queues = Mutex<[CommandQueue<Int>]>([])
        let abandoned = Mutex<[Int]>([])
        let queue = CommandQueue<Int>(wake: {}) { command in
            abandoned.withLock { $0.append(command) }
            if command > 0 { queues.withLock(\.first)?.send(command - 1) }
        }
        queues.withLock { $0 = [queue] }
        queue.send(2)
        queue.close()
        #expect(abandoned.withLock(\.self) == [2, 1, 0])
    }

    /// Every command of many senders is taken or abandoned, and none twice.
    @Test func `no command is lost when the queue closes while others send`() async {
        let (senders, each) = (4, 500)
        let log = Log()
        let queue = log.queue()
        let taken = await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
            let threads = Counter()
            let body: @Sendable () -> Void = {
                var taken: [Int] = []
                while taken.count < senders * each / 2 {
                    taken += queue.takeAll()
                    sched_yield()
                }
                queue.close()
                // All senders have ended before what became of their commands is counted.
                while threads.value < senders { sched_yield() }
                done.resume(returning: taken)
            }
            #expect(DetachedThread.start(body) == 0)
            for sender in 0..<senders {
                let status = DetachedThread.start {
                    for number in 0..<each { queue.send(sender * each + number) }
                    threads.add()
                }
                #expect(status == 0)
            }
        }
        let all = taken + log.abandoned.withLock(\.self)
        #expect(all.sorted() == Array(0..<(senders * each)))
        for sender in 0..<senders {
            let own = taken.filter { $0 / each == sender }
            #expect(own == own.sorted())
        }
    }

    private final class Counter: Sendable {
        private let count = Atomic<Int>(0)
        var value: Int { count.load(ordering: .acquiring) }
        func add() { count.add(1, ordering: .releasing) }
    }
}

struct EventFDTests {
    private func isReadable(_ event: EventFD) -> Bool {
        var descriptor = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&descriptor, 1, 0) == 1
    }

    @Test func `a signal is seen until it is drained, however often it was given`() throws {
        let event = try #require(EventFD())
        #expect(!isReadable(event))
        event.drain()
        for _ in 0..<3 { event.signal() }
        #expect(isReadable(event))
        event.drain()
        #expect(!isReadable(event))
    }

    @Test func `a signal ends the wait of another thread`() async throws {
        let event = try #require(EventFD())
        let result = await withCheckedContinuation { (done: CheckedContinuation<Int32, Never>) in
            let status = DetachedThread.start {
                var descriptor = pollfd(fd: event.descriptor, events: Int16(POLLIN), revents: 0)
                done.resume(returning: poll(&descriptor, 1, -1))
            }
            #expect(status == 0)
            event.signal()
        }
        #expect(result == 1)
    }

    @Test func `a thread blocks all signals`() async {
        let isBlocked = await withCheckedContinuation { (done: CheckedContinuation<Bool, Never>) in
            let status = DetachedThread.start {
                var mask = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &mask)
                done.resume(returning: sigismember(&mask, SIGTERM) == 1 && sigismember(&mask, SIGCHLD) == 1)
            }
            #expect(status == 0)
        }
        #expect(isBlocked)
    }
}
