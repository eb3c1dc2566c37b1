import HubKit

/// `hub sync`: exchanges everything with the outside, one line for each account, server, recorder and board.
enum SyncCommand {
    private static let plugins = Arguments<String>(
        "PLUGIN", .zeroOrMore, help: "only these plugins",
        completion: pluginNames)

    /// The built-in plugins.
    static let pluginNames = Completion.from(Hub.self) { hub, _ in
        hub.descriptors.map { CompletionWord($0.id, $0.summary) }
    }

    static let command = Command(
        "sync", summary: "exchange everything with the outside",
        discussion: ["What has nothing outside is left out. A failure of one never stops the others."],
        examples: [
            Example("hub sync", "all accounts of all plugins"),
            Example("hub sync -q", "for cron: tells only what needs you"),
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
        return try SyncResult.output(
            results,
            empty: Note(
                "Nothing to sync",
                suggestions: [Example("hub contacts accounts add NAME ADDRESS", "connect an address book")]))
    }
}
