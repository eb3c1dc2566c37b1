package import Commands

/// The themes that a plugin offers for all pages of hub, and the one that is in use.
package struct ThemeProvider: Sendable {
    /// The names of all themes, the default one first.
    package let names: [String]
    /// Returns the name of the theme in use.
    package let current: @Sendable (any PluginHost) async throws -> String
    /// Puts the theme with a name into use.
    package let choose: @Sendable (any PluginHost, _ name: String, Operation) async throws -> Void

    /// Creates the provider for the plugin `P`.
    package init<P: Plugin>(
        _ names: [String], current: @escaping @Sendable (P) async throws -> String,
        choose: @escaping @Sendable (P, String, Operation) async throws -> Void
    ) {
        self.names = names
        self.current = { host in try await current(host.plugin(P.self)) }
        self.choose = { host, name, operation in try await choose(host.plugin(P.self), name, operation) }
    }
}
