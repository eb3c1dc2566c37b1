import CellarDomain
import CivilDate
import Commands
import HubKit

/// The HTTP routes of the plugin, with the use cases of the commands.
enum CellarRoutes {
    static let all = [
        Route(.get, "/api/cellar", summary: "list bottles, or those that match q") { (plugin: CellarPlugin, request) in
            let found = try await plugin.search([request.query["q"] ?? ""])
            let limit = try request.number("limit", in: 1...1000) ?? 100
            return .output(
                .list(try await plugin.bottles.listed(Array(found.prefix(limit))), CellarCommands.fields))
        },
        Route(.get, "/api/cellar/{id}", summary: "show a bottle") { (plugin: CellarPlugin, request) in
            .output(try await record(try await plugin.bottles.get(try request.id), plugin))
        },
        Route(.post, "/api/cellar", summary: "add a bottle with name and day") { (plugin: CellarPlugin, request) in
            let (name, day) = try values(request)
            let added = try await plugin.add(name, day: day, operation: request.operation)
            return .created(try await record(added, plugin), location: "/api/cellar/\(added.id)")
        },
        Route(.put, "/api/cellar/{id}", summary: "change a bottle; If-Match holds its revision") {
            (plugin: CellarPlugin, request) in
            let (name, day) = try values(request)
            let changed = try await plugin.change(
                try request.id, expecting: try request.revision, operation: request.operation
            ) { ($0.name, $0.day) = (name, day) }
            return .output(try await record(changed, plugin))
        },
        Route(.delete, "/api/cellar/{id}", summary: "move a bottle to the trash") { (plugin: CellarPlugin, request) in
            try await plugin.bottles.delete([try request.id], operation: request.operation)
            return .output(.done(plugin.bottles.trashTerm))
        },
    ]

    private static func record(_ bottle: Bottle, _ plugin: CellarPlugin) async throws -> Output {
        .record(try await plugin.bottles.listed(bottle), CellarCommands.fields)
    }

    private static func values(_ request: RouteRequest) throws(HubError) -> (name: String, day: CivilDate?) {
        let json = try request.json(example: #"{"name": "First", "day": "2030-01-31"}"#)
        let day = json["day"]?.string ?? ""
        return (try json.text("name"), day.isEmpty ? nil : try RouteRequest.day(day))
    }
}
