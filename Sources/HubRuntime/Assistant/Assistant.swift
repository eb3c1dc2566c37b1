package import Commands
import HubKit
import Storage

/// The tools of `hub mcp`: a few for everything, and those that plugins declare, run as commands under the name of the assistant.
package struct Assistant: Sendable {
    /// The most bytes of an answer.
    static let answerLimit = 24_000
    /// The most rows of a list.
    private static let mostRows = 50
    /// The most items of one call.
    private static let mostItems = 20

    private let hub: Hub
    private let root: Command
    private let descriptors: [PluginDescriptor]
    private let allowed: Set<String>
    private let privacy: AssistantPrivacy
    /// The tools, in a fixed order.
    let tools: [AssistantTool]

    /// The tools over `hub`; those that change something are there for the plugins in `allowed` alone.
    package init(_ hub: Hub, root: Command, allowed: Set<String>) throws {
        self.hub = hub
        self.root = root
        self.allowed = allowed
        descriptors = try hub.enabledDescriptors()
        privacy = try AssistantPrivacy(
            try hub.configuration().core[HubKeys.assistantsHide], plugins: hub.descriptors.map(\.id))
        let kinds = descriptors.flatMap(\.tools.lists)
        let changing = descriptors.filter { allowed.contains($0.id) }
        tools =
            Self.reading(kinds) + (changing.isEmpty ? [] : Self.changing)
            + changing.flatMap { $0.tools.tools.map(Self.tool) }
    }

    /// Names of plugins that can be read with `hub show`.
    var plugins: [String] { descriptors.map(\.id) }

    private static func reading(_ kinds: [ToolList]) -> [AssistantTool] {
        let limit = ToolParameter("limit", .integer(1...mostRows), "most rows; 20 without it")
        let list = kinds.map { "\($0.kind): \($0.help)" }.joined(separator: "; ")
        return [
            AssistantTool(
                name: "search", title: "Search everything",
                description: "Returns items of all kinds that match words, best first, each with a ref for show. "
                    + "Not for listing everything: use list.",
                parameters: [
                    ToolParameter(
                        "words", .text(300), "words or beginnings of words, such as lukasz", isRequired: true),
                    limit,
                ]),
            AssistantTool(
                name: "show", title: "Show an item",
                description:
                    "Returns all of one item. A long text comes in parts: text_part.next_offset is the offset of the next.",
                parameters: [
                    ToolParameter(
                        "ref", .text(100), "item as plugin:id, as search and changes give it", isRequired: true),
                    ToolParameter("offset", .integer(0...100_000_000), "bytes of the text to leave out"),
                ]),
            AssistantTool(
                name: "list", title: "List items of a kind",
                description: "Returns the rows of one list. Kinds are \(list).",
                parameters: [
                    ToolParameter("kind", .choice(kinds.map(\.kind)), "list to return", isRequired: true),
                    ToolParameter("words", .text(300), "words that the rows must match, or the day for due"), limit,
                ]),
            AssistantTool(
                name: "today", title: "Show today",
                description: "Returns what matters on a day: due tasks, birthdays, new records, raised alerts.",
                parameters: [ToolParameter("date", .text(10), "day, such as 2026-11-25; today without it")]),
            AssistantTool(
                name: "changes", title: "List changes",
                description: "Returns what was done, newest first, and by whom; with ref the changes of one item.",
                parameters: [ToolParameter("ref", .text(100), "item as plugin:id"), limit]),
        ]
    }

    private static let changing: [AssistantTool] = {
        let refs = ToolParameter(
            "refs", .texts(mostItems), "items of one plugin as plugin:id with full ids", isRequired: true)
        return [
            AssistantTool(
                name: "tag", title: "Tag an item",
                description: "Adds tags to an item, or removes them. Give either add or remove.", effect: .changes,
                parameters: [
                    ToolParameter("ref", .text(100), "item as plugin:id with its full id", isRequired: true),
                    ToolParameter("add", .texts(20), "tags to add"),
                    ToolParameter("remove", .texts(20), "tags to remove"),
                    dryRun,
                ]),
            AssistantTool(
                name: "trash", title: "Move to the trash",
                description:
                    "Moves items to the trash, from where restore brings them back. Nothing is deleted for good.",
                effect: .removes, parameters: [refs, dryRun]),
            AssistantTool(
                name: "restore", title: "Restore from the trash",
                description: "Brings items back from the trash.", effect: .changes, parameters: [refs, dryRun]),
            AssistantTool(
                name: "undo", title: "Undo an own change",
                description: "Undoes one operation of this assistant, by the id that the change returned.",
                effect: .changes, isIdempotent: false,
                parameters: [
                    ToolParameter("operation", .id, "id of the operation", isRequired: true), dryRun,
                ]),
        ]
    }()

    private static let dryRun = ToolParameter("dry_run", .flag, "true returns what would change, and changes nothing")

    private static func tool(_ declaration: ToolDeclaration) -> AssistantTool {
        AssistantTool(
            name: declaration.name, title: declaration.title, description: declaration.description,
            effect: declaration.isAddition ? .adds : .changes, isIdempotent: declaration.isIdempotent,
            parameters: declaration.parameters + [dryRun])
    }

    /// Calls the tool `name` for `client`, and returns the members of its result; nil for an unknown name.
    func call(_ name: String, _ arguments: JSONValue, by client: String) async throws -> JSONValue? {
        guard let tool = tools.first(where: { $0.name == name }) else { return nil }
        try tool.check(arguments)
        let limit = "--limit=\(arguments["limit"]?.integer ?? 20)"
        let isPlan = arguments["dry_run"]?.bool ?? false
        switch name {
        case "search":
            return try await read(["search", limit, "--"] + Self.words(arguments["words"]))
        case "show":
            return try await show(arguments["ref"]?.string ?? "", offset: arguments["offset"]?.integer ?? 0)
        case "list": return try await list(arguments, limit)
        case "today": return try await read(["today", "--"] + Self.words(arguments["date"]))
        case "changes":
            for reference in Self.words(arguments["ref"]) { try await requireShown(reference) }
            return try await read(["history", limit, "--"] + Self.words(arguments["ref"]))
        case "tag":
            let (plugin, id) = try await reference(arguments["ref"]?.string ?? "")
            let (added, removed) = (Self.texts(arguments["add"]), Self.texts(arguments["remove"]))
            guard added.isEmpty != removed.isEmpty else {
                throw AssistantTool.invalid("tag needs either add or remove")
            }
            let verb = removed.isEmpty ? "tag" : "untag"
            return try await change([plugin, verb], ["--", id] + added + removed, isPlan, client)
        case "trash", "restore":
            let (plugin, ids) = try await references(arguments["refs"])
            return try await change(
                [plugin, name == "trash" ? "rm" : "restore"], ["--yes", "--"] + ids, isPlan, client)
        case "undo": return try await undo(arguments["operation"]?.string ?? "", isPlan, client)
        default: return try await declared(name, arguments, isPlan, client)
        }
    }

    private func list(_ arguments: JSONValue, _ limit: String) async throws -> JSONValue {
        let kind = arguments["kind"]?.string
        for descriptor in descriptors {
            guard let list = descriptor.tools.lists.first(where: { $0.kind == kind }) else { continue }
            let words = [descriptor.id] + list.command
            let takesLimit = try parse(words).command.option(named: "limit") != nil
            var result = try await read(words + (takesLimit ? [limit] : []) + ["--"] + Self.words(arguments["words"]))
            result = try await pruned(result, of: descriptor)
            // A list without the option is cut here.
            if !takesLimit, let items = result["items"]?.array {
                result = .members(["items": .array(Array(items.prefix(arguments["limit"]?.integer ?? 20)))])
            }
            return result
        }
        throw AssistantTool.invalid("no such kind")
    }

    private func declared(
        _ name: String, _ arguments: JSONValue, _ isPlan: Bool, _ client: String
    ) async throws -> JSONValue? {
        for descriptor in descriptors where allowed.contains(descriptor.id) {
            guard let tool = descriptor.tools.tools.first(where: { $0.name == name }) else { continue }
            var (options, words): ([String], [String]) = ([], [])
            for parameter in tool.parameters {
                guard let given = arguments[parameter.name], given != .null else { continue }
                var texts = Self.texts(given)
                if parameter.value == .id {
                    texts = texts.map { $0.split(separator: ":").last.map(String.init) ?? $0 }
                    for id in texts {
                        try await requireShown("\(descriptor.id):\(id)")
                        try await tool.check(hub, id)
                    }
                }
                if let option = parameter.option {
                    options += texts.map { "--\(option)=\($0)" }
                } else {
                    words += texts
                }
            }
            return try await change(
                [descriptor.id] + tool.command, options + ["--"] + words, isPlan, client)
        }
        return nil
    }

    private func undo(_ id: String, _ isPlan: Bool, _ client: String) async throws -> JSONValue {
        let found = try await hub.database().history.operations(matching: id)
        guard let record = found.first, found.count == 1, record.who == .assistant(client) else {
            throw HubError(
                .denied, code: "not-own", "an assistant can undo its own operations alone",
                hint: "changes lists them with who: assistant:\(client)")
        }
        let operation = Operation("undo", who: .assistant(client), commandLine: "undo \(id)")
        let output = try await UndoPresenter(hub).undo(record.id, as: operation, isDryRun: isPlan)
        return try await json(output)
    }

    /// All of an item. Its longest text comes in parts if it is long.
    private func show(_ reference: String, offset: Int) async throws -> JSONValue {
        try await requireShown(reference)
        let parsed = try parse(["--offline", "show", "--", reference])
        guard let run = parsed.command.run, !parsed.command.changes else { return .object([]) }
        let output = try await run(hub, parsed.input(console: SilentConsole()))
        let plugin = descriptors.first { reference.hasPrefix($0.id + ":") }
        guard case .record(let rows) = output.body, rows.count > 0,
            case .object(let all) = try await pruned(try Self.row(0, of: rows), of: plugin)
        else { return try await json(output) }
        func length(_ member: JSONValue.Member) -> Int { member.value.string?.utf8.count ?? 0 }
        guard let longest = all.max(by: { length($0) < length($1) }), length(longest) > Self.partLimit || offset > 0,
            let text = longest.value.string?[...]
        else { return Self.shortened(.object(all), except: all.max { length($0) < length($1) }?.name) }
        var start = text.utf8.index(text.startIndex, offsetBy: offset, limitedBy: text.endIndex) ?? text.endIndex
        while AssistantText.isInside(start, of: text) { start = text.utf8.index(after: start) }
        let part = AssistantText.prefix(of: text[start...], Self.partLimit)
        let (begin, total) = (text.utf8.distance(from: text.startIndex, to: start), text.utf8.count)
        let end = begin + part.utf8.count
        let more = JSONValue.object([
            .init(name: longest.name, value: .string(String(part))),
            .init(
                name: "text_part",
                value: .members([
                    "member": .string(longest.name), "offset": .int(begin), "total_bytes": .int(total),
                    "next_offset": end < total ? .int(end) : .null,
                ])),
        ])
        return Self.adding(more, to: Self.shortened(.object(all), except: nil))
    }

    /// The most bytes of the part of a text.
    private static let partLimit = 16_000

    /// The most bytes of a member that is not a text.
    private static let memberLimit = 8000

    /// The object with long texts shortened and without members of any size, but for one member.
    private static func shortened(_ object: JSONValue, except name: String?) -> JSONValue {
        guard case .object(let members) = object else { return object }
        var (kept, left): ([JSONValue.Member], [JSONValue]) = ([], [])
        for member in members {
            let value = member.name == name ? member.value : member.value.mappingTexts(AssistantText.shortened)
            if member.name != name, value.line.utf8.count > memberLimit {
                left.append(.string(member.name))
            } else {
                kept.append(.init(name: member.name, value: value))
            }
        }
        return .object(kept + (left.isEmpty ? [] : [.init(name: "left_out", value: .array(left))]))
    }

    // MARK: Command lines

    private func parse(_ words: [String]) throws -> ParsedCommand {
        do throws(ParseFailure) {
            return try CommandLineParser(root: root).parse(words)
        } catch { throw error.hubError }
    }

    private func read(_ words: [String]) async throws -> JSONValue {
        let parsed = try parse(["--offline"] + words)
        guard let run = parsed.command.run, !parsed.command.changes else {
            throw HubError(.internal, code: "tool-changes", "the command of a tool that reads changes something")
        }
        return try await json(try await run(hub, parsed.input(console: SilentConsole())))
    }

    /// Runs a command that changes something, as one operation of the client.
    private func change(
        _ path: [String], _ words: [String], _ isPlan: Bool, _ client: String
    ) async throws -> JSONValue {
        let parsed = try parse(["--offline"] + path + (isPlan ? ["--dry-run"] : []) + words)
        guard let run = parsed.command.run, parsed.command.changes, parsed.path.dropFirst().elementsEqual(path) else {
            throw AssistantTool.invalid("\(path[0]) has no \(path.dropFirst().joined(separator: " "))")
        }
        // The history shows the line; a text of a note is in the note.
        let line = (path + words).map { $0.count > 200 ? String($0.prefix(200)) + "…" : $0 }
        var input = Input(
            values: parsed.values, operation: path.joined(separator: " "),
            commandLine: ShellWords.join(line), console: SilentConsole())
        input.author = .assistant(client)
        let id = Identifier.make()
        input.operationID = id
        let result = try await json(try await run(hub, input))
        let isRecorded = try await !hub.database().history.operations(matching: id).isEmpty
        return Self.adding(.members(["operation": isRecorded ? .string(id) : .null]), to: result)
    }

    /// The plugin and the full id of an item that is to be changed.
    private func reference(_ text: String) async throws -> (plugin: String, id: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, parts[1].utf8.count == Identifier.length, Identifier.isPrefix(parts[1]) else {
            throw AssistantTool.invalid(
                "\"\(text.prefix(60))\" is not an item", hint: "give plugin:id with the full id")
        }
        guard allowed.contains(parts[0]) else {
            throw HubError(
                .denied, code: "not-allowed", "changes of \(parts[0].prefix(40)) are not allowed",
                hint: "the person can start hub mcp with --allow")
        }
        try await requireShown(text)
        return (parts[0], parts[1])
    }

    private func references(_ given: JSONValue?) async throws -> (plugin: String, ids: [String]) {
        var all: [(plugin: String, id: String)] = []
        for text in Self.texts(given) { all.append(try await reference(text)) }
        guard let plugin = all.first?.plugin, all.allSatisfy({ $0.plugin == plugin }) else {
            throw AssistantTool.invalid("the items must be of one plugin")
        }
        return (plugin, all.map(\.id))
    }

    // MARK: Privacy

    /// Throws as for an item that does not exist when one is kept from assistants. With such rules an item is named by its full id, so
    /// that no error lists names.
    private func requireShown(_ reference: String) async throws {
        guard privacy.isNeeded, reference.contains(":") else { return }
        let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let plugin = descriptors.first(where: { $0.id == parts[0] }) else { return }
        guard parts[1].utf8.count == Identifier.length, Identifier.isPrefix(parts[1]) else {
            // Tokens of the market have ids of their own, and neither tags nor folders.
            guard plugin.providers.trash != nil, !plugin.tools.lists.contains(where: { $0.kind == "prices" }) else {
                return
            }
            throw AssistantTool.invalid("give the full id of the item", hint: "search and list return it")
        }
        if try await privacy.hides(parts[1], of: plugin, hub) {
            throw HubError(.notFound, code: "not-found", "no item with the id \(parts[1])")
        }
    }

    /// Whether a row is that of a hidden item, or of an operation on one.
    private func isHidden(_ row: JSONValue) async throws -> Bool {
        guard privacy.isNeeded else { return false }
        if let reference = row["ref"]?.string {
            let parts = reference.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, let plugin = descriptors.first(where: { $0.id == parts[0] }) else { return false }
            return try await privacy.hides(parts[1], of: plugin, hub)
        }
        guard row["command"] != nil, row["state"] != nil, let id = row["id"]?.string,
            let record = try await hub.database().history.operations(matching: id).first
        else { return false }
        for (owner, subjects) in try await hub.database().history.subjects(of: record) {
            guard let plugin = descriptors.first(where: { $0.id == owner }) else { continue }
            for subject in subjects where try await privacy.hides(subject, of: plugin, hub) { return true }
        }
        return false
    }

    /// The value without the objects in its arrays that are hidden items of the plugin.
    private func pruned(_ value: JSONValue, of plugin: PluginDescriptor?) async throws -> JSONValue {
        guard privacy.isNeeded, let plugin else { return value }
        switch value {
        case .array(let elements):
            var kept: [JSONValue] = []
            for element in elements {
                if let id = element["id"]?.string, try await privacy.hides(id, of: plugin, hub) { continue }
                kept.append(try await pruned(element, of: plugin))
            }
            return .array(kept)
        case .object(let members):
            var kept: [JSONValue.Member] = []
            for member in members {
                kept.append(.init(name: member.name, value: try await pruned(member.value, of: plugin)))
            }
            return .object(kept)
        default: return value
        }
    }

    // MARK: Results

    /// The output as an object of bounded size.
    private func json(_ output: Output) async throws -> JSONValue {
        var members: [JSONValue.Member] = []
        func add(_ name: String, _ value: JSONValue) { members.append(JSONValue.Member(name: name, value: value)) }
        switch output.body {
        case .record(let rows):
            if rows.count > 0, case .object(let own) = Self.shortened(try Self.row(0, of: rows), except: nil) {
                members = own
            }
        case .rows(let rows):
            var (items, size, hidden): ([JSONValue], Int, Int) = ([], 0, 0)
            for number in 0..<rows.count {
                let row = try Self.row(number, of: rows).mappingTexts(AssistantText.shortened)
                if try await isHidden(row) {
                    hidden += 1
                    continue
                }
                size += row.line.utf8.count
                if size > Self.answerLimit { break }
                items.append(row)
            }
            add("items", .array(items))
            let leftOut = rows.count - items.count - hidden
            if leftOut > 0 { add("left_out", .int(leftOut)) }
        case .text(let lines):
            let text = AssistantText.shortened(AssistantText.visible(lines.joined(separator: "\n")))
            add(output.isReport ? "message" : "text", .string(text))
        case .none, .stream, .bytes: break
        }
        if output.isReport, let human = output.human, !human.isEmpty {
            add("message", .string(AssistantText.shortened(AssistantText.visible(human.joined(separator: "\n")))))
        }
        let notes = output.notes.map { JSONValue.string(AssistantText.visible($0.text)) }
        if !notes.isEmpty { add("remarks", .array(notes)) }
        return .object(members)
    }

    private static func row(_ number: Int, of rows: Rows) throws -> JSONValue {
        var writer = JSONWriter()
        writer.row(number, of: rows, fields: Array(rows.fields.indices))
        return try JSONReader.read(writer.bytes).mappingTexts(AssistantText.visible)
    }

    /// The members of both; of equal names those of `more`.
    private static func adding(_ more: JSONValue, to value: JSONValue) -> JSONValue {
        guard case .object(let old) = value, case .object(let new) = more else { return value }
        return .object(old.filter { more[$0.name] == nil } + new)
    }

    private static func words(_ value: JSONValue?) -> [String] {
        (value?.string ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        value?.array.map { $0.compactMap(\.scalarText) } ?? value?.scalarText.map { [$0] } ?? []
    }
}
