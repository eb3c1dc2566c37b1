package import Commands
import HubKit

extension Hub {
    /// Returns the content of the item that a reference names, such as `dictofun:7kt…` with a full id; nil when there is none, or its
    /// plugin is disabled or has no contents.
    package func content(of reference: String) async throws -> ItemContent? {
        let parts = reference.split(separator: ":", maxSplits: 1)
        guard parts.count == 2,
            let provider = try enabledDescriptors().first(where: { $0.id == parts[0] })?.providers.content
        else { return nil }
        return try await provider.content(self, String(parts[1]))
    }
}
