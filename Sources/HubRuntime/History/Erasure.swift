import Commands
import Glibc
import HubKit
import Storage

/// The last step of a command that deletes data permanently: erases what remains of it in the database files.
struct Erasure: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Erases the remains, and adds a note to the output for what could not be erased.
    func finish(_ output: Output) async -> Output {
        var output = output
        do {
            if try await !hub.database().eraseRemains() {
                output.notes.append(
                    .warning(
                        "another hub process is running; deleted data may remain in the files for some hours",
                        code: "remains-in-log"))
            }
        } catch {
            let reason = (error as? HubError)?.message ?? "\(error)"
            output.notes.append(
                .warning(
                    "deleted data may remain in free pages of the database: \(reason)", code: "remains-in-store",
                    hint: "once that is fixed, hub history prune --before 100y erases it"))
        }
        let backups = hub.directories.data + "/backups"
        if let stream = opendir(backups) {
            defer { closedir(stream) }
            var count = 0
            while readdir(stream) != nil { count += 1 }
            // Every folder contains the entries "." and "..".
            if count > 2 {
                output.notes.append(
                    Diagnostic("older backups of the store still contain it: \(backups)", code: "copies-in-backups"))
            }
        }
        return output
    }
}

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
