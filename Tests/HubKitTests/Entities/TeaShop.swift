import HubKit
import HubKitTesting
import Storage
import TeaDomain

@testable import Tea

/// The entity of the toy plugin on a database in memory.
struct TeaShop: Sendable {
    let clock = ManualClock()
    let plugin: TeaPlugin
    var teas: Entities<Tea> { plugin.teas }

    init() throws {
        let database = Database(at: .memory, plugins: [TeaPlugin.descriptor.schema], clock: clock, executors: .queues)
        plugin = TeaPlugin(context: .testing(database.store(for: "tea"), clock: clock))
    }

    /// Adds a tea for each name with ids `1a…`, `1b…`, and so on.
    func add(_ names: String...) async throws -> [String] {
        let ids = names.indices.map { "1" + String(UnicodeScalar(UInt8(97 + $0))) + String(repeating: "0", count: 18) }
        try await save(zip(ids, names).map { Tea(id: $0, name: $1, grams: 1) })
        return ids
    }

    /// Adds a tea for each id.
    func add(ids: [String]) async throws { try await save(ids.map { Tea(id: $0, name: "tea", grams: 1) }) }

    private func save(_ teas: [Tea]) async throws {
        try await plugin.store.write(Operation("tea new")) { transaction in
            for tea in teas { try transaction.save(tea) }
        }
    }
}
