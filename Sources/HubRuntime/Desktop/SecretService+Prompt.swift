import DBus

extension SecretService {
    /// Lets the keyring show its prompt and returns the result; nil when there is no prompt.
    ///
    /// Throws `stayedLocked` when the user declines. A prompt that is not answered in time is dismissed.
    mutating func answerPrompt(_ path: String) async throws(SecretServiceError) -> DBusValue? {
        // The API's way to say that no prompt is needed.
        guard path != "/" else { return nil }
        deadline += promptTime
        do {
            let completed = try await connection.signals(
                matching: DBusMatchRule(
                    sender: SecretService.name, path: path, interface: "org.freedesktop.Secret.Prompt",
                    member: "Completed"), timeout: max(deadline - .now, .zero))
            _ = try await call("Prompt", [.string("")], on: path, "Prompt")
            guard let signal = try await first(of: completed) else { throw SecretServiceError.bus(.disconnected) }
            guard signal.arguments.count == 2, let isDismissed = signal.arguments[0].truth else {
                throw SecretServiceError.malformed("Prompt")
            }
            if isDismissed { throw SecretServiceError.stayedLocked }
            return signal.arguments[1].unwrapped
        } catch let error as SecretServiceError where !error.isOfBus {
            throw error
        } catch {
            // No task waits for this answer, so it may take long.
            Task { [connection] in
                try? await connection.call(
                    SecretService.name, path: path, interface: "org.freedesktop.Secret.Prompt", member: "Dismiss")
            }
            throw error as? SecretServiceError ?? .bus(error as? DBusError ?? .cancelled)
        }
    }

    /// The first signal that comes before the deadline.
    private func first(
        of signals: AsyncThrowingStream<DBusSignal, any Error>
    ) async throws -> DBusSignal? {
        try await withThrowingTaskGroup(of: DBusSignal?.self) { group in
            group.addTask {
                for try await signal in signals { return signal }
                throw DBusError.disconnected
            }
            group.addTask { [deadline] in
                try await Task.sleep(until: deadline)
                throw DBusError.timedOut
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
