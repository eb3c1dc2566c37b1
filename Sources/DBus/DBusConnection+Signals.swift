extension DBusConnection {
    /// The signals that match `rule`, from now on, until the stream is let go.
    ///
    /// At most `limit` signals wait to be read. The stream throws `DBusError.overflow` when one more comes, and
    /// `DBusError.disconnected` when the connection ends.
    package func signals(
        matching rule: DBusMatchRule, limit: Int = 1024, timeout: Duration = .seconds(5)
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        try await signals(matching: [rule], limit: limit, timeout: timeout)
    }

    /// The signals that match one of `rules`, in the order in which they came; see ``signals(matching:limit:timeout:)``.
    package func signals(
        matching rules: [DBusMatchRule], limit: Int = 1024, timeout: Duration = .seconds(5)
    ) async throws(DBusError) -> AsyncThrowingStream<DBusSignal, any Error> {
        let id = makeID()
        let (stream, continuation) = AsyncThrowingStream.makeStream(
            of: DBusSignal.self, bufferingPolicy: .bufferingOldest(limit))
        queue.send(.subscribe(rules, id: id, continuation))
        do {
            for rule in rules {
                if let name = rule.followedName { try await follow(name, timeout: timeout) }
                _ = try await callBus("AddMatch", [.string(rule.text)], timeout: timeout)
            }
        } catch {
            queue.send(.unsubscribe(id: id))
            throw error
        }
        continuation.onTermination = { [queue] _ in queue.send(.unsubscribe(id: id)) }
        return stream
    }

    /// Emits `signal` to every connection that subscribed to it.
    package func emit(_ signal: DBusSignal) async throws(DBusError) {
        _ = try await withCheckedContinuation { queue.send(.emit(signal, $0)) }.get()
    }

    /// Finds the owner of `name` and follows its changes.
    private func follow(_ name: String, timeout: Duration) async throws(DBusError) {
        _ = try await callBus("AddMatch", [.string(DBusMatchRule.owner(of: name).text)], timeout: timeout)
        do {
            let owner = try await callBus("GetNameOwner", [.string(name)], timeout: timeout)
            queue.send(.learn(owner: owner.first?.text, name: name))
        } catch  where error.isServiceMissing {
            queue.send(.learn(owner: nil, name: name))
        }
    }
}
