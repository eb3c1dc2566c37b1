/// The calls that wait for an answer, by the serial number of their message.
struct PendingCalls<Reply> {
    private struct Call {
        let id: UInt64
        let deadline: ContinuousClock.Instant
        let reply: Reply
    }

    private var calls: [UInt32: Call] = [:]

    /// Whether no call waits.
    var isEmpty: Bool { calls.isEmpty }

    /// The earliest deadline of a call.
    var nextDeadline: ContinuousClock.Instant? { calls.values.map(\.deadline).min() }

    /// Notes that the message `serial` waits until `deadline`.
    mutating func add(serial: UInt32, id: UInt64, deadline: ContinuousClock.Instant, reply: Reply) {
        calls[serial] = Call(id: id, deadline: deadline, reply: reply)
    }

    /// Whose answer the message with reply serial `serial` is; nil for one that was given up or never made.
    mutating func answered(serial: UInt32) -> Reply? { calls.removeValue(forKey: serial)?.reply }

    /// Forgets the call that its caller named `id`.
    mutating func cancelled(id: UInt64) -> Reply? {
        guard let serial = calls.first(where: { $0.value.id == id })?.key else { return nil }
        return answered(serial: serial)
    }

    /// Forgets all calls whose deadline is not after `now`.
    mutating func expired(at now: ContinuousClock.Instant) -> [Reply] {
        let late = calls.filter { $0.value.deadline <= now }
        for serial in late.keys { calls[serial] = nil }
        return late.values.map(\.reply)
    }

    /// Forgets all calls.
    mutating func removeAll() -> [Reply] {
        defer { calls = [:] }
        return calls.values.map(\.reply)
    }
}
