import Text

extension SyncEngine {
    /// Records the outcome for the item at `href`; `identity` is the identity of that item.
    package mutating func apply(_ outcome: FetchOutcome<ID>, at href: String, identity: Int? = nil) {
        record(outcome, at: href)
        for (send, hasSameUID) in obstructed.removeValue(forKey: ByteString(href)) ?? [] {
            resolve(send, at: href, outcome, hasSameUID: hasSameUID || isSame(identity, as: send.id))
        }
    }

    private func isSame(_ identity: Int?, as id: ID) -> Bool { identity != nil && identity == items[id]?.identity }

    private mutating func record(_ outcome: FetchOutcome<ID>, at href: String) {
        markReadable(href)
        switch outcome {
        case .vanished: markVanished(href)
        case .linked(let id, let etag, let sends):
            markFound(id)
            missing.remove(id)
            linked.insert(id)
            guard sends else { return }
            if policy.isReadOnly { return problems.append(SyncProblem(.readOnly, id: id, href: href)) }
            send(SyncSend(id, replacing: RemoteEntry(href: href, etag: etag)))
        case .unwanted(let id, let etag): remove(id, RemoteEntry(href: href, etag: etag))
        case .skipped(let problem) where problem.id == nil:
            markUnreadable(href)
            unlinkedProblems[ByteString(href)] = problem
        case .skipped(let problem):
            if problem.isTransient, let id = problem.id { markFound(id) }
            problems.append(problem)
        case .ignored(let isReadable): if !isReadable { markUnreadable(href) }
        case .changedAgain: fetchAgain(href)
        }
    }

    /// Keeps an item from being created or removed, since its remote item exists.
    private mutating func markFound(_ id: ID) {
        removalsHere[id] = nil
        recreates[id] = nil
        creates.remove(id)
    }

    /// Handles an item that was removed between the listing and the fetch. Where a removal there has a consequence here,
    /// it is left to the next listing.
    private mutating func markVanished(_ href: String) {
        guard policy.remoteDeletion == .createsAgain, obstructed[ByteString(href)] == nil,
            let id = byHref[ByteString(href)],
            let item = items[id], !linked.contains(id)
        else { return }
        if item.isHere {
            if isCut { return }
            missing.insert(id)
            creates.insert(id)
        } else {
            droppedLinks.append(href)
        }
    }

    /// Decides about a new item after the one at `href`, which has its name or its `UID`, was read.
    ///
    /// That may be the new item itself, sent by a request whose response was lost. So another name is used only if it
    /// is a valid item with another `UID`.
    private mutating func resolve(
        _ send: SyncSend<ID>, at href: String, _ outcome: FetchOutcome<ID>, hasSameUID: Bool
    ) {
        let id = send.id
        switch outcome {
        case .linked(id, _, _), .unwanted(id, _): return
        case .skipped(let problem) where problem.isTransient:
            // Reported once, with the local item.
            unlinkedProblems[ByteString(href)] = nil
            if problem.id != id { problems.append(SyncProblem(problem.reason, id: id, href: href)) }
        case .ignored(isReadable: false): problems.append(SyncProblem(.unreadable, id: id, href: href))
        case .vanished where !reachedAttemptLimit(id): self.send(send)
        case .unwanted where !reachedAttemptLimit(id): postponed.append(send)
        case .vanished, .unwanted, .changedAgain: problems.append(SyncProblem(.busy, id: id, href: href))
        case .linked, .skipped, .ignored:
            if hasSameUID {
                problems.append(SyncProblem(.sameUID, id: id, href: href))
            } else if send.attempt < SyncLimits.attempts {
                self.send(SyncSend(id, attempt: send.attempt + 1, inOldVersion: send.inOldVersion))
            } else {
                problems.append(SyncProblem(.busy, id: id, href: href))
            }
        }
    }

    /// Records the response to a request.
    /// - Returns: whether the remote side has stored the item, so that the link can be stored.
    package mutating func answer(_ result: PutResult, to send: SyncSend<ID>) -> Bool {
        let (id, href) = (send.id, send.replaced?.href)
        switch (result, send.replaced) {
        case (.stored, _): return true
        case (.refused(.version), _) where policy.hasOldVersion && !send.inOldVersion:
            self.send(SyncSend(id, replacing: send.replaced, attempt: send.attempt, inOldVersion: true))
        case (.refused(let refusal), _): problems.append(SyncProblem(.refused(refusal), id: id, href: href))
        case (.nameTaken(let href), nil): look(at: href, for: send, hasSameUID: false)
        case (.uidTaken(let href?), nil): look(at: href, for: send, hasSameUID: true)
        case (.uidTaken, _): problems.append(SyncProblem(.sameUID, id: id, href: href))
        case (.changedMeanwhile, let entry?):
            if let problem = refused(entry, of: id) { problems.append(problem) } else { fetch(entry.href) }
        // It may have moved to the rest of the listing.
        case (.gone, _?) where isCut: break
        case (.gone, _?):
            // A change wins over a removal. The item may have moved to the name that is used now.
            missing.insert(id)
            self.send(SyncSend(id, inOldVersion: send.inOldVersion))
        case (.changedMeanwhile, _), (.nameTaken, _), (.gone, _):
            problems.append(SyncProblem(.busy, id: id, href: href))
        }
        return false
    }

    /// Records that the server no longer has the item with this etag; the problem if that was so too often.
    private mutating func refused(_ entry: RemoteEntry, of id: ID) -> SyncProblem<ID>? {
        let etag = ByteString(entry.etag)
        let isSame = refusedEtags.updateValue(etag, forKey: id) == etag
        guard reachedAttemptLimit(id) else { return nil }
        return SyncProblem(isSame ? .etagRefused : .busy, id: id, href: entry.href)
    }

    /// Fetches the item that prevents a new one from being created.
    private mutating func look(at href: String, for send: SyncSend<ID>, hasSameUID: Bool) {
        obstructed[ByteString(href), default: []].append((send, hasSameUID))
        fetch(href)
    }

    /// Records the response to a deletion.
    /// - Returns: whether the remote item is deleted.
    package mutating func answer(_ result: DeleteResult, toRemoving id: ID, _ entry: RemoteEntry) -> Bool {
        switch result {
        case .gone: return true
        case .changedMeanwhile:
            if let problem = refused(entry, of: id) { problems.append(problem) } else { fetch(entry.href) }
        case .refused(let refusal):
            problems.append(SyncProblem(.notRemovable(refusal), id: id, href: entry.href))
        }
        return false
    }
}
