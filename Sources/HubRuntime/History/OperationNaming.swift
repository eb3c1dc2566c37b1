import HubKit

/// How operations are spoken of: by the shortest unique beginning of the id, by whom, and how long ago.
struct OperationNaming: Sendable {
    private let history: History
    private let time: RelativeTime

    init(_ hub: Hub) throws {
        history = try hub.database().history
        time = RelativeTime(now: hub.clock.now, zone: .system)
    }

    /// How many characters of the id name only this operation.
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

    /// When it was done, in near words.
    func age(_ record: OperationRecord) -> String { time.words(for: record.at) }
}
