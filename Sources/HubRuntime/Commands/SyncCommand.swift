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

    private static let explain = Option<String>(
        "explain", "REF",
        help: "say of one item what both sides have, and what the next exchange does; exchange nothing")

    static let command = Command(
        "sync", summary: "sync all accounts",
        discussion: ["Plugins without accounts are skipped. If one account fails, the others still sync."],
        examples: [
            Example("hub sync", "sync all accounts of all plugins"),
            Example("hub sync -q", "for cron: print only errors and what needs your attention"),
            Example("hub sync --explain contacts:7kt", "say what your accounts and machines have of a contact"),
        ], prominence: .more, parameters: [plugins, explain], fields: SyncResult.fields, changes: true
    ) { (hub: Hub, input: Input) in
        if let reference = input[explain] {
            let found = try await MachinePairs(hub).explain(reference) + accounts(reference, hub)
            if found.isEmpty {
                throw HubError(
                    .notFound, code: "not-exchanged",
                    "\(TerminalSanitizer.line(reference)) is exchanged with no other machine and no account",
                    hint: "hub status lists the accounts, hub machines lists the machines; hub search finds ids")
            }
            return .text(found.flatMap(\.lines))
        }
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

    /// What the accounts of a plugin have of an item, given as `plugin:id`.
    private static func accounts(_ reference: String, _ hub: Hub) async throws -> [ItemExplanation] {
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let provider = try hub.descriptor(named: parts[0]).providers.sync else { return [] }
        return try await provider.explain(hub, parts[1])
    }
}
