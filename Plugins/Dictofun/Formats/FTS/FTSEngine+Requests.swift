/// Which request comes next, and what its success or failure leads to.
extension FTSEngine {
    mutating func startTimer(_ duration: Duration) -> Action {
        timer += 1
        return .startTimer(timer, duration)
    }

    mutating func subscribe(_ left: [FTSCharacteristic]) -> [Action] {
        guard let first = left.first else { return request(.list) }
        state = .subscribing(left)
        return [.subscribe(first), startTimer(timeouts.reply)]
    }

    mutating func handleSubscribed() -> [Action] {
        guard case .subscribing(let left) = state else { return [] }
        attemptCount = 0
        return subscribe(Array(left.dropFirst()))
    }

    /// Sends the request of a step, for the first time or again.
    mutating func request(_ step: Step) -> [Action] {
        state = .requesting(step)
        (isAcknowledged, isAnswered) = (false, false)
        (answer, keepAliveCount, drainedCount, receivedCount) = ([], 0, 0, 0)
        attemptCount += 1
        var actions: [Action] = []
        let message: FTSRequest
        switch step {
        case .list:
            listParser = FileListParser(hasContinuation: characteristics.contains(.fileListNext))
            message = .list
        case .info(let number): message = .info(entries[number].id)
        case .data(let number):
            actions.append(.begin(file(number)))
            // The device has nothing to send, so an answer would never come.
            if file(number).info.size == 0 { return actions + store(number) }
            message = .data(entries[number].id)
        case .storage: message = .storage
        case .receiveComplete: message = .receiveComplete
        }
        return actions + [.write(message.bytes), startTimer(timeouts.reply)]
    }

    func file(_ number: Int) -> File {
        File(number: number, id: entries[number].id, info: entries[number].info ?? FileInfo(size: 0))
    }

    mutating func handleAcknowledgement() -> [Action] {
        guard case .requesting(let step) = state, !isAcknowledged else { return [] }
        isAcknowledged = true
        if step == .receiveComplete {
            state = .awaitingDisconnect
            return [startTimer(timeouts.disconnect)]
        }
        return isAnswered ? succeed(step) : [startTimer(timeout(of: step))]
    }

    func timeout(of step: Step) -> Duration {
        switch step {
        case .data: timeouts.data
        case .storage: timeouts.storage
        default: timeouts.answer
        }
    }

    /// The answer is complete. The acknowledgement may come after it, since they take different ways.
    mutating func finishAnswer(_ step: Step) -> [Action] {
        isAnswered = true
        return isAcknowledged ? succeed(step) : []
    }

    mutating func succeed(_ step: Step) -> [Action] {
        failureCount = 0
        if case .data(let number) = step {
            state = .verifying(number)
            return [startTimer(timeouts.pause)]
        }
        return pause(before: nextStep(after: step))
    }

    /// Lets the device become idle before a request; without one, the connection is concluded.
    mutating func pause(before step: Step?) -> [Action] {
        guard let step else { return conclude() }
        state = .pausing(before: step)
        return [startTimer(timeouts.pause)]
    }

    /// A file was received as a whole and nothing came after it.
    mutating func store(_ number: Int) -> [Action] {
        pendingStores.insert(number)
        return [.store(number)] + pause(before: nextStep(after: .data(number)))
    }

    /// Tries the request again, or goes on without its answer.
    mutating func fail(_ step: Step, _ failure: FTSFailure, retries: Bool = true) -> [Action] {
        var actions: [Action] = []
        if case .data = step { actions.append(.discard) }
        state = .pausing(before: step)
        if retries, attemptCount < FTSEngine.maximumAttemptCount { return actions + pause(before: step) }
        failureCount += 1
        switch step {
        case .list: return actions + end(.listFailed(failure))
        case .info(let number), .data(let number): entries[number].failure = failure
        case .storage: break
        case .receiveComplete: return actions + disconnect()
        }
        if failureCount >= FTSEngine.maximumFailureCount { return actions + end(.unresponsive(failure)) }
        return actions + pause(before: nextStep(after: step))
    }

    /// The step after another one; nil when no request is left. All descriptions come before the first file, so that the
    /// amount of work is known.
    mutating func nextStep(after step: Step) -> Step? {
        attemptCount = 0
        if case .list = step { nextEntry = 0 }
        switch step {
        case .list, .info:
            while nextEntry < entries.count {
                defer { nextEntry += 1 }
                if !entries[nextEntry].isSettled { return .info(nextEntry) }
            }
            nextEntry = 0
            return nextFile()
        case .data: return nextFile()
        case .storage, .receiveComplete: return nil
        }
    }

    private mutating func nextFile() -> Step? {
        while nextEntry < entries.count {
            defer { nextEntry += 1 }
            if !entries[nextEntry].isSettled, entries[nextEntry].info != nil { return .data(nextEntry) }
        }
        return characteristics.contains(.storage) ? .storage : nil
    }

    /// No request is left but "receive complete", which needs every file to be durable.
    mutating func conclude() -> [Action] {
        guard pendingStores.isEmpty else {
            state = .storing
            return [.stopTimer]
        }
        let isComplete = entries.allSatisfy(\.isSettled)
        report.outcome = isComplete ? .complete : .incomplete
        guard isComplete, tellsCompletion, report.version == .v3 else { return disconnect() }
        attemptCount = 0
        return pause(before: .receiveComplete)
    }
}
