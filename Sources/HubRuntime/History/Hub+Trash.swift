import HubKit

extension Hub {
    /// Permanently deletes what was moved to the trash of any plugin before `moment`, and returns how much that was.
    func emptyTrash(before moment: Instant, _ operation: Operation) async throws -> Int {
        var count = 0
        for descriptor in try enabledDescriptors() {
            count += try await descriptor.providers.trash?.empty(self, moment, operation) ?? 0
        }
        return count
    }

    /// Permanently deletes what has been in the trash for longer than `trash.days`, and what is left of it in the files of
    /// the store. A clock that cannot be trusted deletes nothing.
    func emptyOldTrash() async throws {
        let age = Duration.seconds(try configuration().core[HubKeys.trashDays] * 24 * 3600)
        guard let now = try await database().trustedNow(forAge: age) else { return }
        let operation = Operation("trash empty", who: .service("maintenance"), kind: .cache)
        if try await emptyTrash(before: now - age, operation) > 0 { _ = try await database().eraseRemains() }
    }
}
