import Commands
import HubKit
import Storage
import WebServer

extension WebRoute {
    /// `GET /timeline`: what was done, by anybody, newest first, with the way back from there.
    static func timelinePage(in shell: WebShell) -> WebRoute {
        let layout = HTMLLayout(
            title: "Timeline", place: "timeline", body: "<div id=\"timeline\" aria-busy=\"true\"></div>",
            styles: ["/assets/home.css"], script: "/assets/timeline.js")
        return WebRoute(.get, "/timeline") { _, _ in await shell.page(layout) }
    }

    /// `GET /api/timeline?before=`: fifty operations, newest first, before the one with that id. `summary` says in words what a
    /// command does, and `names` what it changed.
    static func timeline(_ hub: Hub) -> WebRoute {
        let words = OperationWords(hub)
        return WebRoute(.get, "/api/timeline", use: .scope(.everything)) { request, _ in
            let history = try hub.database().history
            let rows = try await history.operations(limit: 50, before: request.query("before"))
            var names: [[String]] = []
            for row in rows { names.append(try await words.names(of: row)) }
            return .json { json in
                json.array { json in
                    for (row, names) in zip(rows, names) {
                        json.object { json in
                            json.name("id")
                            json.value(row.id)
                            json.name("at")
                            json.value(row.at.rfc3339)
                            json.name("who")
                            json.value(row.who.text)
                            json.name("words")
                            json.value(row.commandLine)
                            json.name("summary")
                            if let summary = words.summary(of: row) { json.value(summary) } else { json.null() }
                            json.name("names")
                            json.array { json in
                                for name in names { json.value(name) }
                            }
                            json.name("state")
                            json.value(row.state.rawValue)
                            json.name("is_reversal")
                            json.value(row.isReversal)
                        }
                    }
                }
            }
        }
    }
}

/// What operations have done, in words for people who type no commands.
private struct OperationWords: Sendable {
    /// The changed items of an operation that are named.
    private static let limit = 4

    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    /// Returns the summary of the command that an operation is named after, such as `notes new`; nil if it is not one.
    func summary(of record: OperationRecord) -> String? {
        var words = record.name.split(separator: " ").map(String.init)[...]
        guard let plugin = words.popFirst(), var command = hub.descriptors.first(where: { $0.id == plugin })?.command
        else { return nil }
        for word in words {
            guard let next = command.subcommands.first(where: { $0.name == word }) else { return nil }
            command = next
        }
        return words.isEmpty ? nil : command.summary
    }

    /// Returns the names of some of the items that a command has changed; those that are gone have none.
    func names(of record: OperationRecord) async throws -> [String] {
        // What a page did is named by its own words.
        guard !record.commandLine.hasPrefix("page: ") else { return [] }
        let subjects = try await hub.database().history.subjects(of: record).mapValues { Array($0.prefix(Self.limit)) }
        let names = try await EntityNames(hub).names(of: subjects)
        return subjects.sorted { $0.key < $1.key }.flatMap { plugin, ids in ids.compactMap { names[plugin]?[$0] } }
    }
}
