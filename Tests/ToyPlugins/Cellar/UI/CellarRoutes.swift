import CellarDomain
import CivilDate
import Commands
import HubKit

/// The HTTP routes of the plugin besides those of the entity, with the use cases of the commands.
enum CellarRoutes {
    static let all = [
        Route(
            .post, "/api/cellar", summary: "add a bottle", body: example, fields: CellarCommands.fields
        ) { (plugin: CellarPlugin, request) in
            let (name, day) = try values(request)
            let added = try await plugin.add(name, day: day, operation: request.operation)
            return .created(try await record(added, plugin), location: "/api/cellar/\(added.id)")
        },
        Route(
            .put, "/api/cellar/{id}", summary: "edit a bottle", details: "`If-Match` holds the revision",
            body: example, fields: CellarCommands.fields
        ) { (plugin: CellarPlugin, request) in
            let (name, day) = try values(request)
            let changed = try await plugin.change(
                try request.id, expecting: try request.revision, operation: request.operation
            ) { ($0.name, $0.day) = (name, day) }
            return .output(try await record(changed, plugin))
        },
    ]

    private static let example = #"{"name": "First", "day": "2030-01-31"}"#

    private static func record(_ bottle: Bottle, _ plugin: CellarPlugin) async throws -> Output {
        .record(try await plugin.bottles.listed(bottle), CellarCommands.fields)
    }

    private static func values(_ request: RouteRequest) throws(HubError) -> (name: String, day: CivilDate?) {
        let json = try request.json(example: example)
        let day = json["day"]?.string ?? ""
        return (try json.text("name"), day.isEmpty ? nil : try RouteRequest.day(day))
    }
}
