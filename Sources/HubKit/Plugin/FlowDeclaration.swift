package import Commands
package import Storage

/// An automatic action on another plugin's events: `record → transcript → note`.
///
/// It belongs to the consumer. It acts once for each event, keyed by the event's number, and never follows what it
/// made. `flows.<id>` in the config switches it on or off.
package struct FlowDeclaration: Sendable {
    /// The flow's word, unique in hub: `record-to-note`.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// The topics that start it.
    package let patterns: [TopicPattern]
    /// Whether it is enabled by default. A flow that creates many items unasked is not.
    package let isOnByDefault: Bool
    /// The flow as a subscriber, its handler given by the plugin.
    package let subscriber: @Sendable (any PluginHost) throws -> Subscriber

    /// `handle` gets the plugin, which is built when the first event comes, and the event. The content of what the event is about is
    /// read from the host.
    package init<P: Sendable>(
        _ id: String, summary: String, on patterns: [TopicPattern], isOnByDefault: Bool = true,
        handle: @escaping @Sendable (P, StoredEvent, any PluginHost) async throws -> Void
    ) {
        self.id = id
        self.summary = summary
        self.patterns = patterns
        self.isOnByDefault = isOnByDefault
        subscriber = { host in
            Subscriber(id: "flow.\(id)", summary: summary, patterns: patterns) { event in
                try await handle(host.plugin(P.self), event, host)
            }
        }
    }
}
