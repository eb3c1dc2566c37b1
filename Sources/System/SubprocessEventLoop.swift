import CSystem
import Glibc
import Threading

/// Feeds one child, collects what it writes and waits for its end; blocks its thread all that time.
struct SubprocessEventLoop {
    /// The maximum number of bytes kept from standard error.
    static let errorLimit = 16 << 10

    private let child: ChildProcess
    private let wakeup: EventFD
    private let outputLimit: Int
    private let deadline: ContinuousClock.Instant
    private var teardown: TerminationSequence
    private var failure: SubprocessError?
    private var unwritten: ArraySlice<UInt8>
    private var input: Int32?
    private var output: Int32?
    private var errorOutput: Int32?
    private var written: [UInt8] = []
    private var complained: [UInt8] = []
    private let errorsArrived: (@Sendable ([UInt8]) -> Void)?

    /// Starts `subprocess` as the leader of a process group of its own.
    init(
        _ subprocess: Subprocess, input bytes: [UInt8], outputLimit: Int, deadline: ContinuousClock.Instant,
        grace: Duration, wakeup: EventFD,
        errorsArrived: (@Sendable ([UInt8]) -> Void)? = nil
    ) throws(SubprocessError) {
        let pipes = try Pipes(withInput: !bytes.isEmpty)
        defer { pipes.closeChildEnds() }
        do {
            child = try ChildProcess(
                subprocess, input: pipes.input?.read ?? -1, output: pipes.output.write, error: pipes.error.write,
                ownGroup: true)
        } catch {
            pipes.closeOwnEnds()
            throw error
        }
        (input, output, errorOutput) = (pipes.input?.write, pipes.output.read, pipes.error.read)
        unwritten = bytes[...]
        self.outputLimit = outputLimit
        self.deadline = deadline
        self.wakeup = wakeup
        self.errorsArrived = errorsArrived
        teardown = TerminationSequence(grace: grace)
    }

    /// Returns when the child has ended; it need not close its output, for its own children may hold that open.
    mutating func run() throws(SubprocessError) -> Subprocess.Finished {
        CooperativePool.assertNotCurrent("SubprocessEventLoop.run")
        while true {
            let ready = wait()
            if ready.contains(wakeup.descriptor) { fail(.cancelled) }
            if let input, ready.contains(input) { feed(input) }
            if output.map(ready.contains) == true { read() }
            if errorOutput.map(ready.contains) == true { readErrors() }
            if ready.contains(child.descriptor) { break }
            let now = ContinuousClock.now
            if now >= deadline { fail(.timedOut) }
            if let signal = teardown.step(at: now) { child.signalGroup(signal) }
        }
        read()
        readErrors()
        // The process id cannot be reused before the child is collected.
        if failure != nil { child.signalGroup(SIGKILL) }
        let status = child.reap()
        for descriptor in [input, output, errorOutput].compactMap(\.self) { close(descriptor) }
        if let failure { throw failure }
        return Subprocess.Finished(status: status, output: written, errorOutput: complained)
    }

    /// The descriptors for which something happened before the next deadline.
    private func wait() -> Set<Int32> {
        var descriptors = [child.descriptor, output, errorOutput].compactMap(\.self).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        if failure == nil { descriptors.append(pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)) }
        if let input { descriptors.append(pollfd(fd: input, events: Int16(POLLOUT), revents: 0)) }
        let next = failure == nil ? deadline : teardown.nextDeadline
        let count = poll(&descriptors, nfds_t(descriptors.count), next.map { $0.pollTimeout } ?? -1)
        return count > 0 ? Set(descriptors.filter { $0.revents != 0 }.map(\.fd)) : []
    }

    private mutating func fail(_ error: SubprocessError) {
        if failure == nil { failure = error }
        if let signal = teardown.begin(at: .now) { child.signalGroup(signal) }
    }

    private mutating func feed(_ descriptor: Int32) {
        let count = unwritten.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { unwritten = unwritten.dropFirst(count) }
        // A child that stops reading is not an error: it may have what it needs.
        if unwritten.isEmpty || (count < 0 && errno != EAGAIN && errno != EINTR) {
            close(descriptor)
            input = nil
        }
    }

    private mutating func read() {
        guard let descriptor = output else { return }
        let isOpen = readAll(descriptor) { bytes in
            written.append(contentsOf: bytes.prefix(max(outputLimit + 1 - written.count, 0)))
        }
        if !isOpen { output = nil }
        if written.count > outputLimit { fail(.tooMuchOutput(limit: outputLimit)) }
    }

    private mutating func readErrors() {
        guard let descriptor = errorOutput else { return }
        let isOpen = readAll(descriptor) { bytes in
            complained.append(contentsOf: bytes.prefix(max(SubprocessEventLoop.errorLimit - complained.count, 0)))
            errorsArrived?(Array(bytes))
        }
        if !isOpen { errorOutput = nil }
    }

    /// Reads what is there now, at most a megabyte at a time; false when the other end is closed, and so is this one.
    private func readAll(_ descriptor: Int32, _ take: (UnsafeRawBufferPointer) -> Void) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { buffer in
            for _ in 0..<16 {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                if count > 0 {
                    take(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
                } else if count < 0, errno == EAGAIN || errno == EINTR {
                    return true
                } else {
                    close(descriptor)
                    return false
                }
            }
            return true
        }
    }
}

extension ContinuousClock.Instant {
    /// The time left for poll(2) in milliseconds, rounded up.
    fileprivate var pollTimeout: Int32 {
        (self - .now).pollTimeout
    }
}

/// The steps that end a child against its will: ask, wait, kill.
struct TerminationSequence {
    /// The time that a child gets to end after SIGTERM.
    let grace: Duration
    private var killsAt: ContinuousClock.Instant?
    private var isKilled = false

    init(grace: Duration) { self.grace = grace }

    /// The time of the next step, once it has begun.
    var nextDeadline: ContinuousClock.Instant? { isKilled ? nil : killsAt }

    /// Begins; the signal to send, or nil when it has begun before.
    mutating func begin(at now: ContinuousClock.Instant) -> Int32? {
        guard killsAt == nil else { return nil }
        killsAt = now + grace
        return SIGTERM
    }

    /// The signal that is due at `now`, each once.
    mutating func step(at now: ContinuousClock.Instant) -> Int32? {
        guard let killsAt, !isKilled, now >= killsAt else { return nil }
        isKilled = true
        return SIGKILL
    }
}
