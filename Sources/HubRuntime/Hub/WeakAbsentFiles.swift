import HubKit
import Storage

/// The files that are on other machines alone, as the plugins of a hub ask for them, which the hub has.
struct WeakAbsentFiles: AbsentFiles {
    private let find: @Sendable () -> Hub?

    init(_ hub: Hub) { find = { [weak hub] in hub } }

    func places() async throws -> [BlobID: String] { try await find()?.places() ?? [:] }

    func fetch(_ id: BlobID) async throws { try await find()?.fetch(id) }
}
