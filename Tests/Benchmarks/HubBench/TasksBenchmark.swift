import CivilDate
import HubKitTesting
import Mintee
import MinteeDomain
import Storage

/// How long tasks with long histories take inside one process.
struct TasksBenchmark {
    private static let rounds = HubBench.size(20)

    /// 25 years of three overlapping target sets, kept in `directory`: prints how many days it has, and what it takes, in
    /// milliseconds, to name them, to find what an edit would drop, and to store the task and the edit of one that is filled wholly.
    func measureSchedule(in directory: String) async throws {
        let sets = try [
            "Sun,Mon,Tue,Fri: 1 < x < 2", "1st,3rd,Last Mon,Wed: 3 < x < 4", "1,2,3,4,5,6,7,8,9,10,last: 5 < x < 6",
        ].map { try TargetSet($0) }
        guard let start = CivilDate(year: 2000, month: 1, day: 1), let end = CivilDate(year: 2024, month: 12, day: 31)
        else { return }
        let schedule = Schedule.recurring(from: start, to: end, sets)
        let days = schedule.days
        report("generate", best { schedule.days.count == days.count })
        let edited = Schedule.recurring(from: start, to: end, Array(sets.dropFirst()))
        HubBench.write("days\t\(days.count)\n")
        report("delta", best { !edited.losses(of: days).isEmpty })

        let database = Self.database(directory)
        try await database.prepare()
        let store = database.store(for: "mintee")
        let mintee = try Self.plugin(store, directory)
        let draft = TaskDraft(name: "Long", schedule: schedule)
        let began = ContinuousClock.now
        let task = try await mintee.createTask(draft, operation: Operation("mintee new"))
        report("stored", ContinuousClock.now - began)
        try await store.write(Operation("fill", kind: .cache)) { transaction in
            for day in days {
                try transaction.run(
                    "INSERT INTO mintee_instance (task, day, completion, entered) VALUES (?, ?, 1.5, 1)", task.id,
                    day.description)
            }
            try transaction.reindexTasks([task.id])
        }
        let losses = edited.losses(of: days)
        let edit = ContinuousClock.now
        _ = try await mintee.updateTask(task.id, losing: losses, operation: Operation("mintee edit")) {
            $0.schedule = edited
        }
        report("edited", ContinuousClock.now - edit)
    }

    /// Prints how long it takes, in milliseconds, to know the score, streaks and share of one of the tasks in `directory`.
    func measureScore(in directory: String) async throws {
        let mintee = try Self.plugin(Self.database(directory).store(for: "mintee"), directory)
        guard let task = try await mintee.listTasks(limit: 1).first else { return }
        var least = Duration.seconds(60)
        for _ in 0..<Self.rounds {
            let start = ContinuousClock.now
            guard try await mintee.details(of: task.id).statistics.score >= 0 else { return }
            least = min(least, ContinuousClock.now - start)
        }
        report("score", least)
    }

    private static func database(_ directory: String) -> Database {
        let schema = MinteeSchema.schema { try $1.announceTasks($0) }
        return Database(at: .directory(directory), plugins: [schema], clock: SystemClock())
    }

    private static func plugin(_ store: Store, _ directory: String) throws -> MinteePlugin {
        let clock = SystemClock()
        return try MinteePlugin(
            context: .testing(store, clock: clock, locks: FileLocks(directory: directory, clock: clock)))
    }

    /// The shortest time of some rounds; `work` answers whether it did what it should.
    private func best(_ work: () -> Bool) -> Duration {
        var least = Duration.seconds(60)
        for _ in 0..<Self.rounds {
            let start = ContinuousClock.now
            precondition(work())
            least = min(least, ContinuousClock.now - start)
        }
        return least
    }

    private func report(_ name: String, _ time: Duration) { HubBench.write("\(name)\t\(time / .milliseconds(1))\n") }
}
