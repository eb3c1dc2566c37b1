/// A background service that a plugin offers to `hub serve`.
package struct ServiceDeclaration: Sendable {
    /// The service's word, unique within the plugin.
    package let id: String
    /// The summary, in a few lower-case words.
    package let summary: String
    /// Builds the service from the plugin.
    package let make: @Sendable (any PluginHost) throws -> any Service

    /// Creates a declaration for the plugin `P`; `make` runs in the daemon for each start.
    package init<P: Plugin>(_ id: String, summary: String, make: @escaping @Sendable (P) throws -> any Service) {
        self.id = id
        self.summary = summary
        self.make = { host in try make(host.plugin(P.self)) }
    }
}
