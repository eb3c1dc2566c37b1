import Commands
import HubKit

/// `hub sync`: exchanges everything with the outside, one line for each account, server, recorder and board.
enum SyncCommand {
    private static let plugins = Arguments<String>(
        "PLUGIN", .zeroOrMore, help: "sync only these plugins",
        completion: pluginNames)

    /// The built-in plugins.
    static let pluginNames = Completion.from(Hub.self) { hub, _ in
        hub.descriptors.map { CompletionWord($0.id, $0.summary) }
    }

    static let command = Command(
        "sync", summary: "sync all accounts",
        discussion: ["Plugins without accounts are skipped. If one account fails, the others still sync."],
        examples: [
            Example("hub sync", "sync all accounts of all plugins"),
            Example("hub sync -q", "for cron: print only errors and what needs your attention"),
        ], prominence: .more, parameters: [plugins], fields: SyncResult.fields, changes: true
    ) { (hub: Hub, input: Input) in
        let wanted = try input[plugins].map { try hub.descriptor(named: $0).id }
        var results: [SyncResult] = []
        for descriptor in try hub.enabledDescriptors() where wanted.isEmpty || wanted.contains(descriptor.id) {
            guard let provider = descriptor.providers.sync else { continue }
            do {
                results += try await provider.sync(hub, input)
            } catch let error as HubError {
                results.append(SyncResult(descriptor.id, "not synced", duration: .zero, failure: error))
            }
        }
        if wanted.isEmpty { results += try await MachinePairs(hub).results(input) }
        return try SyncResult.output(
            results,
            empty: Diagnostic(
                "Nothing to sync",
                suggestions: [Example("hub contacts accounts add NAME ADDRESS", "connect a CardDAV server")]))
    }
}
