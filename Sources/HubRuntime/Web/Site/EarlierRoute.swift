import HubKit
import Storage
import WebServer

extension WebRoute {
    /// The operations after the asked one that are looked at, and the items of which more than the name is told.
    private static let limits = (operations: 2_000, items: 200)

    /// `GET /api/timeline/at?operation=`: the items that are not any more what they were after that operation, each with what it
    /// was and what it is. `is_whole` is false if more has changed since than was looked at.
    static func earlier(_ hub: Hub) -> WebRoute {
        WebRoute(.get, "/api/timeline/at", use: .scope(.everything)) { request, _ in
            let history = try hub.database().history
            let wanted = request.query("operation") ?? ""
            guard let operation = try await history.operations(matching: wanted).first, operation.id == wanted else {
                throw HubError(.notFound, code: "operation-not-found", "no such operation in the history")
            }
            let (changed, isWhole) = try await changed(after: operation, history)
            let items = try await states(of: changed, at: .operation(operation), hub)
            return .json { json in
                json.object { json in
                    json.name("at")
                    json.value(operation.at.rfc3339)
                    json.name("is_whole")
                    json.value(isWhole)
                    json.name("items")
                    json.array { json in
                        for item in items { item.write(to: &json) }
                    }
                }
            }
        }
    }

    /// Returns the items that were changed after an operation, by plugin, those that were changed last first, and whether these are all.
    private static func changed(
        after operation: OperationRecord, _ history: History
    ) async throws -> (items: [(plugin: String, id: String)], isWhole: Bool) {
        var (items, seen): ([(plugin: String, id: String)], Set<String>) = ([], [])
        var (last, count): (String?, Int) = (nil, 0)
        while count < limits.operations {
            let part = try await history.operations(limit: 100, before: last)
            for later in part {
                guard HistoryPoint.operation(operation).isBefore(later) else { return (items, true) }
                for (plugin, ids) in try await history.subjects(of: later).sorted(by: { $0.key < $1.key }) {
                    for id in ids where seen.insert("\(plugin):\(id)").inserted {
                        guard items.count < limits.items else { return (items, false) }
                        items.append((plugin, id))
                    }
                }
            }
            guard let oldest = part.last else { return (items, true) }
            (last, count) = (oldest.id, count + part.count)
        }
        return (items, false)
    }

    private static func states(
        of changed: [(plugin: String, id: String)], at point: HistoryPoint, _ hub: Hub
    ) async throws -> [EarlierItem] {
        let byPlugin = Dictionary(grouping: changed, by: \.plugin).mapValues { $0.map(\.id) }
        let names = try await EntityNames(hub).names(of: byPlugin)
        let descriptors = Dictionary(uniqueKeysWithValues: try hub.enabledDescriptors().map { ($0.id, $0) })
        var items: [EarlierItem] = []
        for (plugin, id) in changed {
            guard let descriptor = descriptors[plugin] else { continue }
            let name = names[plugin]?[id]
            let item: EarlierItem
            do {
                switch try await descriptor.earlier(hub, id, at: point) {
                case .absent?:
                    guard let name else { continue }
                    item = EarlierItem(plugin: plugin, id: id, name: name, state: "new", values: [])
                case .present(let values)?:
                    let old = values.first { $0.field == "name" && $0.span != .now }?.value
                    item = EarlierItem(
                        plugin: plugin, id: id, name: name ?? old, state: name == nil ? "gone" : "changed",
                        values: values.filter { $0.span != .same || name == nil })
                case nil:
                    guard let name else { continue }
                    item = EarlierItem(plugin: plugin, id: id, name: name, state: "changed", values: [])
                }
            } catch let error as HubError where error.kind == .notFound {
                // Its own history does not go back that far.
                item = EarlierItem(plugin: plugin, id: id, name: name, state: "unknown", values: [])
            }
            items.append(item)
        }
        return items
    }
}

/// An item that is not what it was.
private struct EarlierItem: Sendable {
    let plugin: String
    let id: String
    /// The name that it has, else the one that it had.
    let name: String?
    /// `new`, `changed`, `gone`, or `unknown` if the history does not say.
    let state: String
    let values: [EarlierValue]

    func write(to json: inout JSONWriter) {
        json.object { json in
            for (key, value) in [("plugin", plugin), ("id", id), ("name", name ?? ""), ("state", state)] {
                json.name(key)
                json.value(value)
            }
            json.name("values")
            json.array { json in
                for value in values {
                    json.object { json in
                        for (key, text) in [
                            ("field", value.field), ("value", value.value), ("span", value.span.rawValue),
                        ] {
                            json.name(key)
                            json.value(text)
                        }
                    }
                }
            }
        }
    }
}
