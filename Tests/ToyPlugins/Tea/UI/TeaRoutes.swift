import Commands
import HubKit
import TeaDomain

/// The HTTP routes of teas, with the use cases of the commands.
enum TeaRoutes {
    static let all = [
        Route(.get, "/api/tea", summary: "list teas, or those that match q") { (tea: TeaPlugin, request) in
            let found = try await tea.search([request.query["q"] ?? ""])
            let limit = try request.number("limit", in: 1...1000) ?? 100
            return .output(.list(try await tea.teas.listed(Array(found.prefix(limit))), TeaCommands.fields))
        },
        Route(.get, "/api/tea/{id}", summary: "show a tea") { (tea: TeaPlugin, request) in
            .output(.record(try await tea.teas.listed(try await tea.teas.get(try request.id)), TeaCommands.fields))
        },
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
        Route(.delete, "/api/tea/{id}", summary: "move a tea to the trash") { (tea: TeaPlugin, request) in
            try await tea.teas.delete([try request.id], operation: request.operation)
            return .output(.done(tea.teas.trashTerm))
        },
    ]

    private static func values(_ request: RouteRequest) throws(HubError) -> (name: String, grams: Int) {
        let json = try request.json(example: #"{"name": "Sencha", "grams": 100}"#)
        return (try json.text("name"), try json.number("grams", in: 0...1_000_000))
    }
}
