package import Commands
import Storage

extension EntityCommands {
    /// The command `rm`: moves items to the trash.
    ///
    /// With `byTag` it takes `--tag` as well. `label` names an item that was removed, for kinds whose names do not stand in a
    /// sentence. `detail` completes the question, such as ` with 3 filled days`; `notes`
    /// returns warnings after the change.
    package func remove(
        examples: [Example]? = nil, byTag: Bool = false,
        detail: @escaping @Sendable (P, [Summary]) async throws -> String = { _, _ in "" },
        notes: @escaping @Sendable (P, [Summary]) async throws -> [Diagnostic] = { _, _ in [] },
        label: (@Sendable (ListedEntity<Summary>) -> String)? = nil
    ) -> Command {
        let usual = [
            Example("\(kind.command) rm last", "the newest \(kind.one)"),
            Example("\(kind.command) rm last --dry-run", "show what would be removed"),
        ]
        return Command(
            "rm", summary: "move \(kind.many) to the trash", examples: examples ?? usual,
            parameters: byTag ? [some, tags] : [many], fields: fields, changes: true
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let words = byTag ? input[some] : input[many]
            let chosen = try await removed(items, words, tags: byTag ? input[tags] : [], input)
            if chosen.isEmpty { return .list([], fields, empty: Diagnostic("No \(kind.many) match")) }
            let count = kind.counted(chosen.count)
            if input.dryRun {
                return Output.list(try await items.listed(chosen), fields)
                    .noting(Diagnostic("Would move \(count) to the trash"))
            }
            if asks(before: chosen, words, items.config[HubKeys.confirm]) {
                let what = chosen.count == 1 ? names(chosen) : "\(count): \(names(chosen))"
                let question = "Remove \(what)\(input.yes ? "" : try await detail(plugin, chosen))?"
                guard try await input.confirm(question, consequence: "\(count) would be moved to the trash") else {
                    return .cancelled
                }
            }
            try await items.delete(chosen.map(\.id), operation: Operation(input))
            var name = chosen[0].shownName
            if let label, let row = try await items.listed(chosen).first { name = label(row) }
            let what = chosen.count == 1 ? "\(name) is" : "\(count) are"
            var output = Output.edited("\(what) \(items.trashTerm)")
            output.notes += try await notes(plugin, chosen)
            return output
        }
    }

    private func removed(
        _ items: Entities<Record>, _ words: [String], tags: [String], _ input: Input
    ) async throws -> [Summary] {
        if !tags.isEmpty { return try await items.tagged(tags, words: words) }
        guard !words.isEmpty else {
            throw HubError(
                .usage, code: "missing-argument",
                "\(kind.command) rm needs \(many.parameter.name) or --tag TAG", hint: "see hub help \(path) rm")
        }
        return try await items.select(words, asking: input)
    }

    /// Whether to ask: not for full ids, else as the setting `confirm` says.
    private func asks(before chosen: [Summary], _ words: [String], _ setting: HubKeys.Confirmation) -> Bool {
        if !words.isEmpty, words.allSatisfy({ word in chosen.contains { $0.id == word } }) { return false }
        switch setting {
        case .always: return true
        case .bulk: return chosen.count >= 3
        case .never: return false
        }
    }

    private static var at: Option<DateExpression> {
        Option("at", "WHEN", help: "restore the version of this time: 2026-11-20, 09:12, 3d")
    }

    /// The command `restore`: restores items from the trash, or with `--at` an earlier version.
    ///
    /// `notes` returns lines about items that are to be restored from the trash.
    package func restore(
        discussion: [String] = [], examples: [Example]? = nil,
        notes: @escaping @Sendable (P, [Summary]) async throws -> [String] = { _, _ in [] }
    ) -> Command {
        let usual = [
            Example("\(kind.command) restore last", "the last one removed"),
            Example("\(kind.command) restore last --dry-run", "show what would be restored"),
        ]
        let hasVersions = kind.versions != nil
        let summary = "restore \(kind.many) from the trash\(hasVersions ? ", or an earlier version" : "")"
        return Command(
            "restore", summary: summary, discussion: discussion, examples: examples ?? usual, prominence: .more,
            parameters: hasVersions ? [many, Self.at] : [many], changes: true
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            if hasVersions, let moment = input[Self.at] {
                return try await restore(items, input, at: moment.instant(now: items.clock.now, in: .system))
            }
            let chosen = try await items.select(input[many], inTrash: true, asking: input)
            let names = names(chosen)
            let lines = try await notes(plugin, chosen)
            if input.dryRun { return .text(["Would restore \(names)"] + lines) }
            try await items.restore(chosen.map(\.id), operation: Operation(input))
            return Output.text(["Restored: \(names)"] + lines).asEdit(.first)
        }
    }

    private func restore(_ items: Entities<Record>, _ input: Input, at moment: Instant) async throws -> Output {
        let chosen = try await items.select(input[many], asking: input)
        let names = names(chosen)
        if input.dryRun { return .done("Would restore an earlier version: \(names)") }
        let operation = Operation(input)
        for item in chosen { try await items.restore(item.id, at: moment, operation: operation) }
        return .edited("Restored an earlier version: \(names)")
    }
}
