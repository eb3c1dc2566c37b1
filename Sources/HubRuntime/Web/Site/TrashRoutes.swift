import Commands
import HubKit
import WebServer

extension WebRoute {
    /// `GET /trash`: what was deleted in all plugins, with Restore and Empty.
    static func trashPage(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Trash", place: "trash", body: "<article id=\"trash\"></article>", script: "/assets/trash.js")
        return WebRoute(.get, "/trash") { _, _ in await shell.page(layout) }
    }

    /// `/api/trash`: `GET` lists all plugins with their deleted items, `POST …/restore` with `{"plugin": …, "ids": […]}`
    /// restores items, `DELETE` permanently deletes everything in the trash, with `?plugin=` that of one plugin.
    static func trash(_ hub: Hub) -> [WebRoute] {
        let trash = Trash(hub)
        return [
            WebRoute(.get, "/api/trash") { _, _ in try await trash.list() },
            WebRoute(.post, "/api/trash/restore") { request, _ in try await trash.restore(request.body) },
            WebRoute(.delete, "/api/trash") { request, _ in try await trash.empty(request.query("plugin")) },
        ]
    }
}

/// The trash of all plugins, as pages show it.
private struct Trash: Sendable {
    private let hub: Hub
    private static let requestLimits = JSONReader.Limits(bytes: 1 << 20, depth: 3)

    init(_ hub: Hub) { self.hub = hub }

    func list() async throws -> HTTPResponse {
        var parts: [(plugin: PluginDescriptor, items: [TrashedItem])] = []
        for descriptor in try hub.enabledDescriptors() {
            guard let trash = descriptor.providers.trash else { continue }
            parts.append((descriptor, try await trash.list(hub)))
        }
        return .json { json in
            json.array { json in
                for part in parts where !part.items.isEmpty {
                    json.object { json in
                        json.name("plugin")
                        json.value(part.plugin.id)
                        json.name("title")
                        json.value(part.plugin.pageTitle)
                        json.name("items")
                        json.array { json in
                            for item in part.items { write(item, of: part.plugin, to: &json) }
                        }
                    }
                }
            }
        }
    }

    private func write(_ item: TrashedItem, of plugin: PluginDescriptor, to json: inout JSONWriter) {
        json.object { json in
            json.name("id")
            json.value(item.id)
            json.name("title")
            json.value(item.title)
            json.name("deleted_at")
            json.value(item.deletedAt.rfc3339)
            json.name("path")
            if plugin.page == nil { json.null() } else { json.value(plugin.path(of: item.id)) }
        }
    }

    func restore(_ body: [UInt8]) async throws -> HTTPResponse {
        let json = try? JSONReader.read(body, limits: Self.requestLimits)
        guard let id = json?["plugin"]?.string, let ids = json?["ids"]?.array?.compactMap(\.string), !ids.isEmpty else {
            throw HubError(
                .invalid, code: "items-missing", "the request does not say what to restore",
                hint: #"send {"plugin": "contacts", "ids": ["…"]}"#)
        }
        let operation = Operation("trash restore", commandLine: "page: restore from the trash")
        for provider in try providers(of: id) { try await provider.restore(hub, ids, operation) }
        return Self.count(ids.count, "restored").naming(operation)
    }

    func empty(_ plugin: String?) async throws -> HTTPResponse {
        let operation = Operation("trash empty", commandLine: "page: empty the trash", kind: .cache)
        // What was deleted in this very moment goes too.
        let now = hub.clock.now + .milliseconds(1)
        var count = 0
        for provider in try providers(of: plugin) {
            count += try await provider.empty(hub, now, operation)
        }
        _ = await Erasure(hub).finish(.done(""))
        return Self.count(count, "deleted")
    }

    private func providers(of plugin: String?) throws -> [TrashProvider] {
        let enabled = try hub.enabledDescriptors().filter { plugin == nil || $0.id == plugin }
        guard !enabled.isEmpty else {
            throw HubError(.notFound, code: "plugin-not-found", "no enabled plugin is named \(plugin ?? "")")
        }
        return enabled.compactMap(\.providers.trash)
    }

    private static func count(_ number: Int, _ name: String) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.name(name)
                json.value(number)
            }
        }
    }
}
