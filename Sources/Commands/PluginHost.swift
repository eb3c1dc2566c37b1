/// Builds the runtimes of plugins, each when it is first asked for; HubRuntime implements it.
package protocol PluginHost: Sendable {
    /// The runtime of the plugin; throws when it is disabled or cannot be built.
    func plugin<Plugin: Sendable>(_ type: Plugin.Type) throws -> Plugin

    /// The last operation of the person that was recorded in this process.
    var lastEdit: Operation? { get }

    /// Returns the content of the item that a reference names, such as `dictofun:7kt…` with a full id; nil when there is none, or its
    /// plugin is disabled or has no contents.
    func content(of reference: String) async throws -> ItemContent?

    /// Serves the listeners of the enabled plugin `id` in this process until a signal ends it, whether or not `hub serve` opens
    /// them. `prepare` gets the host that serves them, with runtimes of its own, before they are opened; `ready` gets their addresses
    /// once all can be reached. SIGTERM has their clients sent away before they are closed; another signal does not wait for that.
    func serveListeners(
        of id: String, prepare: @Sendable (any PluginHost) async throws -> Void,
        ready: @escaping @Sendable ([String]) async -> Void
    ) async throws
}

extension PluginHost {
    /// None: only hub itself has a history.
    package var lastEdit: Operation? { nil }

    /// Has no contents: only hub itself knows all plugins.
    package func content(of reference: String) async throws -> ItemContent? { nil }

    /// Refuses: only hub itself binds sockets.
    package func serveListeners(
        of id: String, prepare: @Sendable (any PluginHost) async throws -> Void,
        ready: @escaping @Sendable ([String]) async -> Void
    ) async throws {
        throw HubError(.internal, code: "no-listeners", "this host serves no listeners")
    }
}

/// The content of an item, as another plugin can use it.
package struct ItemContent: Hashable, Sendable {
    /// The name or title of the item.
    package let title: String
    /// The whole text of the item, of any size.
    package let text: String

    package init(title: String, text: String) {
        self.title = title
        self.text = text
    }
}
