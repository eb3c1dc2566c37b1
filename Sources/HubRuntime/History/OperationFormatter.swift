import HubKit

/// The way operations are named in output: the shortest unique prefix of the id, the author, and the age.
struct OperationFormatter: Sendable {
    private let history: History
    private let time: RelativeTime

    init(_ hub: Hub) throws {
        history = try hub.database().history
        time = RelativeTime(now: hub.clock.now, zone: .system)
    }

    /// Returns the length of the shortest unique prefix of the id.
    func shown(_ record: OperationRecord) async throws -> Int {
        for length in ShortIDs.minimum..<record.id.count {
            let prefix = String(record.id.prefix(length))
            if try await history.operations(matching: prefix).count == 1 { return length }
        }
        return record.id.count
    }

    /// The id as short as it is unique.
    func short(_ record: OperationRecord) async throws -> String {
        String(record.id.prefix(try await shown(record)))
    }

    /// Returns the relative time of the operation.
    func age(_ record: OperationRecord) -> String { time.words(for: record.at) }
}
