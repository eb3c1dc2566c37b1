/// Something that a plugin does once a day, at the end of the first command of the day: so it is done where no daemon runs too.
/// It may be done again, by a second process or by a service, and then changes nothing.
package struct DailyJob: Sendable {
    /// The duty's word, unique within the plugin.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// Does it.
    package let perform: @Sendable (any PluginHost) async throws -> Void

    /// Creates a job for the plugin `P`; `id` is unique within the plugin.
    package init<P: Plugin>(_ id: String, summary: String, perform: @escaping @Sendable (P) async throws -> Void) {
        self.id = id
        self.summary = summary
        self.perform = { host in try await perform(host.plugin(P.self)) }
    }
}
