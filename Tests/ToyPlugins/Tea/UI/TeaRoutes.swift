import Commands
import HubKit
import TeaDomain

/// The HTTP routes of teas besides those of the entity, with the use cases of the commands.
enum TeaRoutes {
    static let all = [
        Route(.post, "/api/tea", summary: "add a tea with name and grams") { (tea: TeaPlugin, request) in
            let (name, grams) = try values(request)
            let added = try await tea.add(name, grams: grams, operation: request.operation)
            return .created(
                .record(try await tea.teas.listed(added), TeaCommands.fields), location: "/api/tea/\(added.id)")
        },
        Route(.put, "/api/tea/{id}", summary: "change a tea; If-Match holds its revision") {
            (tea: TeaPlugin, request) in
            let (name, grams) = try values(request)
            let changed = try await tea.change(
                try request.id, expecting: try request.revision, operation: request.operation
            ) { ($0.name, $0.grams) = (name, grams) }
            return .output(.record(try await tea.teas.listed(changed), TeaCommands.fields))
        },
        Route(.post, "/api/tea/{id}/brew", summary: "brew a pot") { (tea: TeaPlugin, request) in
            let brewed = try await tea.brew(try request.id, operation: request.operation)
            return .output(.record(try await tea.teas.listed(brewed), TeaCommands.fields))
        },
    ]

    private static func values(_ request: RouteRequest) throws(HubError) -> (name: String, grams: Int) {
        let json = try request.json(example: #"{"name": "Sencha", "grams": 100}"#)
        return (try json.text("name"), try json.number("grams", in: 0...1_000_000))
    }
}
