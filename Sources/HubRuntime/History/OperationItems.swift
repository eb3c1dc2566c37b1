import Commands
import HubKit
import Storage

/// The items that operations have changed, by their names.
struct OperationItems: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// The largest number of items that are named of one operation of this process.
    private static var namedItems: Int { 200 }

    /// Returns a line for each kind of item that an operation changed, with the names of at most `limit` of them.
    func lines(of record: OperationRecord, limit: Int) async throws -> [String] {
        let subjects = try await hub.database().history.subjects(of: record)
        let entityNames = EntityNames(hub)
        let names = try await entityNames.names(of: subjects)
        var lines: [String] = []
        for (plugin, ids) in subjects.sorted(by: { $0.key < $1.key }) {
            for group in try await entityNames.groups(ids, of: plugin) {
                let known = group.ids.map { names[plugin]?[$0] ?? "\($0.prefix(3)) (deleted)" }
                lines.append("\(group.noun.counted(group.ids.count)): \(NameList.line(known, limit: limit))")
            }
        }
        return lines
    }

    /// What the operations of this process have changed, for `--verbose`. What cannot be read is left out, since the changes are made.
    func changesMade() async -> [Diagnostic] {
        guard let database = hub.openedDatabase else { return [] }
        var found: [Diagnostic] = []
        for id in database.recordedOperations {
            guard let record = try? await database.history.operations(matching: id).first,
                let lines = try? await lines(of: record, limit: Self.namedItems)
            else { continue }
            found += lines.map { Diagnostic("\(record.name): \($0)", level: .aside, code: "changed") }
        }
        return found
    }
}
