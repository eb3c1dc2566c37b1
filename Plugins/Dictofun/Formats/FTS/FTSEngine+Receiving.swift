/// What notifications, timers and errors mean for the request under way.
extension FTSEngine {
    mutating func receive(_ bytes: [UInt8], _ characteristic: FTSCharacteristic) -> [Action] {
        switch state {
        case .verifying(let number) where characteristic == .fileData && !bytes.isEmpty:
            return fail(.data(number), .tooLong(size: file(number).info.size))
        case .verifying, .pausing: return extendPause()
        default: break
        }
        guard case .requesting(let step) = state, !isAnswered else { return [] }
        if characteristic == .status { return FTSStatus(bytes).map { receive($0, step) } ?? [] }
        switch (step, characteristic) {
        case (.list, .fileList), (.list, .fileListNext): return receiveList(bytes)
        case (.info(let number), .fileInfo): return receiveInfo(bytes, number)
        case (.data(let number), .fileData): return receiveData(bytes, number)
        case (.storage, .storage):
            answer += bytes
            guard answer.count >= DeviceStorage.byteCount else { return wait(step) }
            guard let storage = DeviceStorage(answer) else { return fail(step, .malformed) }
            report.storage = storage
            return finishAnswer(step)
        default: return []
        }
    }

    /// The device is still sending, so the pause begins again.
    private mutating func extendPause() -> [Action] {
        drainedCount += 1
        return drainedCount <= FTSEngine.maximumDrainedCount ? [startTimer(timeouts.pause)] : []
    }

    /// Waits for the next part. Before the acknowledgement of the request its own, longer timer runs.
    private mutating func wait(_ step: Step) -> [Action] { isAcknowledged ? [startTimer(timeout(of: step))] : [] }

    private mutating func receiveList(_ bytes: [UInt8]) -> [Action] {
        do throws(FileListParser.Problem) {
            guard let list = try listParser.add(bytes) else { return wait(.list) }
            take(list)
            return finishAnswer(.list)
        } catch {
            return fail(.list, .malformed)
        }
    }

    private mutating func take(_ list: FileListParser.List) {
        var seen: Set<FileID> = []
        entries = list.ids.filter { id in
            let isNew = seen.insert(id).inserted
            if !isNew { report.duplicates.append(id) }
            return isNew
        }.map { Entry(id: $0, isKnown: inventory.ids.contains($0) && !$0.isFallback) }
        report.version = list.version
        report.listedCount = list.ids.count
    }

    private mutating func receiveInfo(_ bytes: [UInt8], _ number: Int) -> [Action] {
        answer += bytes
        do throws(FileInfo.Problem) {
            guard let info = try FileInfo(answer) else { return wait(.info(number)) }
            entries[number].info = info
            if entries[number].id.isFallback, inventory.fallbackSizes.contains(info.size) {
                entries[number].isKnown = true
            }
            return finishAnswer(.info(number))
        } catch {
            return fail(.info(number), .malformed)
        }
    }

    private mutating func receiveData(_ bytes: [UInt8], _ number: Int) -> [Action] {
        let size = file(number).info.size
        guard bytes.count <= size - receivedCount else { return fail(.data(number), .tooLong(size: size)) }
        // The device ends a file that became shorter by a notification of nothing.
        guard !bytes.isEmpty else {
            return fail(.data(number), .tooShort(received: receivedCount, size: size))
        }
        receivedCount += bytes.count
        return [.append(bytes)] + (receivedCount == size ? finishAnswer(.data(number)) : wait(.data(number)))
    }

    private mutating func receive(_ status: FTSStatus, _ step: Step) -> [Action] {
        switch (status, step) {
        case (.keepAlive, _), (.unknown, _):
            keepAliveCount += 1
            return keepAliveCount <= FTSEngine.maximumKeepAliveCount ? wait(step) : fail(step, .aborted)
        case (.fileNotFound(let id), .info(let number)) where isMeant(id, number):
            entries[number].isGone = true
            report.gone.append(entries[number].id)
            return finishAnswer(step)
        case (.fileNotFound(let id), .data(let number)) where isMeant(id, number):
            // Another file may still be open on the device, which only the end of the connection changes.
            return fail(step, .unavailable, retries: false)
        case (.fileNotFound, _): return []
        case (.fileSystemCorrupt, _): return fail(step, .fileSystemCorrupt)
        case (.transactionAborted, _), (.genericError, _): return fail(step, .aborted)
        }
    }

    private func isMeant(_ id: FileID?, _ number: Int) -> Bool { id == nil || id == entries[number].id }

    mutating func handleTimeout() -> [Action] {
        switch state {
        case .subscribing: return end(.listFailed(.timeout))
        case .pausingSubscription(let left): return subscribe(left)
        case .pausing(let step): return request(step)
        case .verifying(let number): return store(number)
        case .awaitingDisconnect: return disconnect()
        case .requesting(let step): return handleSilence(step)
        case .ready, .storing, .disconnecting, .disconnected, .finished: return []
        }
    }

    private mutating func handleSilence(_ step: Step) -> [Action] {
        switch step {
        case .list where isAcknowledged:
            if let list = try? listParser.settle() {
                take(list)
                return finishAnswer(step)
            }
            return fail(step, .timeout)
        case .data(let number) where receivedCount > 0:
            return fail(step, .tooShort(received: receivedCount, size: file(number).info.size))
        default: return fail(step, .timeout)
        }
    }

    mutating func handleLinkError(_ error: FTSLinkError) -> [Action] {
        switch state {
        case .subscribing(let left):
            attemptCount += 1
            guard error.isTransient, attemptCount < FTSEngine.maximumAttemptCount else {
                return end(.listFailed(.link(error)))
            }
            state = .pausingSubscription(left)
            return [startTimer(timeouts.pause)]
        case .requesting(let step):
            if error == .notConnected { return end(.interrupted) }
            return fail(step, .link(error), retries: error != .notAuthorized)
        default: return []
        }
    }
}
