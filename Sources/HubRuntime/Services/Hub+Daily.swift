import CivilDate
import Commands
import HubKit
import Storage

extension Hub {
    /// Closes what was opened. A command ends here; what it committed is safe already. What is due once a day is done,
    /// and what was emitted is delivered for a moment when no other process does that.
    package func finish() async {
        if !options[GlobalOptions.dryRun] {
            await doDailyJobs()
            await deliverEvents()
        }
        await close()
    }

    /// Runs the daily jobs that have not run today. Called after the command has printed its output, and only when it
    /// used the store; after the first command of a day it costs one row look-up per job.
    ///
    /// A job that fails is retried by the next command. So are the jobs after bulk work such as an import, which the
    /// user may want to check and undo before anything follows from it.
    package func doDailyJobs() async {
        guard mode == .command, !endsAtOnce, let database = openedDatabase, await database.isOpen, !database.hasDoneBulk
        else {
            return
        }
        let today = clock.today.description
        do {
            try await doOnce("daily/trash", on: today, database.store(for: "core")) { try await self.emptyOldTrash() }
            for descriptor in try enabledDescriptors() {
                for job in descriptor.daily {
                    try await doOnce("daily/\(descriptor.id)/\(job.id)", on: today, database.store(for: "core")) {
                        try await job.perform(self)
                    }
                }
            }
        } catch {
            log.labelled("daily").info("daily jobs failed and will run again with the next command: \(error)")
        }
    }

    private func doOnce(
        _ name: String, on today: String, _ store: Store, _ perform: @Sendable () async throws -> Void
    ) async throws {
        guard try await store.read({ try $0.setting(name) }) != today else { return }
        try await perform()
        let operation = Operation("daily job", who: .service("daily"), kind: .cache)
        try await store.write(operation) { try $0.saveSetting(name, today) }
    }
}
