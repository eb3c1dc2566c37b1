import TestSupport
import Testing

/// Two processes at once do what people do, in random order; in the end the store holds what the commands that are in
/// effect make of an empty one. `HUB_TEST_SEED` draws other commands.
@Suite(.timeLimit(.minutes(20)))
struct ModelTests {
    private static let seed = 20_261_126 as UInt64
    private static let steps = 70

    @Test(.seeded) func `any mix of commands of two processes leaves what a model says`() async throws {
        let sandbox = try Sandbox()
        let deeds = try await withThrowingTaskGroup { group in
            for worker in 0..<2 {
                group.addTask {
                    var worker = ModelWorker(number: worker, sandbox, SeededGenerator(seed: Self.seed + UInt64(worker)))
                    for _ in 0..<Self.steps { try await worker.step() }
                    return worker.deeds
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
        }
        let book = try await Self.replay(deeds, sandbox)
        try await ModelJudge(sandbox).expect(book)
        try await expectWayBackAndForth(sandbox, book)
    }

    /// All can be undone, down to the empty store, and done again.
    private func expectWayBackAndForth(_ sandbox: Sandbox, _ book: ModelBook) async throws {
        let inEffect = try await Self.inEffect(sandbox).count
        for _ in 0..<inEffect {
            let undo = try await sandbox.runInProcess("undo")
            try #require(undo.code == 0, "\(undo.all)")
        }
        try await ModelJudge(sandbox).expect(ModelBook())
        for _ in 0..<inEffect {
            let redo = try await sandbox.runInProcess("redo")
            try #require(redo.code == 0, "\(redo.all)")
        }
        try await ModelJudge(sandbox).expect(book)
    }

    private static func inEffect(_ sandbox: Sandbox) async throws -> [Sandbox.OperationRow] {
        try await sandbox.operations().filter { $0.state == "done" && !["undo", "redo"].contains($0.name) }.reversed()
    }

    /// Returns the result of the effective commands on an empty store, in the order of the history.
    private static func replay(_ deeds: [String: ModelDeed], _ sandbox: Sandbox) async throws -> ModelBook {
        var book = ModelBook()
        for operation in try await inEffect(sandbox) {
            book.apply(try #require(deeds[operation.command], "nobody did: \(operation.command)"))
        }
        return book
    }
}
