package import Commands

/// The items that a `list` command shows, and their order.
package struct ListRequest<Order: ChoiceArgument>: Sendable {
    /// The words that an item must match, separated by spaces; empty for all.
    package let words: String
    /// The tags that an item must have.
    package let tags: [String]
    /// The time since which an item must have changed.
    package let since: Instant?
    /// The time before which an item must have changed.
    package let until: Instant?
    /// The order; the first of its cases by default.
    package let order: Order
    /// Whether the order is reversed.
    package let isReversed: Bool
    /// Whether the items in the trash are listed.
    package let isTrash: Bool
    /// The maximum number of items that are shown.
    package let limit: Int

    /// Whether items are selected at all.
    package var isFiltered: Bool { !words.isEmpty || !tags.isEmpty || since != nil || until != nil }
}

extension EntityCommands {
    /// The command `list`, with its options for words, tags, times, order and number.
    ///
    /// The first case of `Order` is the default order; without `byTime` items cannot be chosen by the time of their last
    /// change; `parameters` are more of the plugin's own; `empty` is the message when there is nothing to list at all. `find`
    /// returns the items of a request in its order.
    package func list<Order: ChoiceArgument>(
        summary: String? = nil, examples: [Example], by order: Order.Type, byTime: Bool = true,
        parameters: [any ParameterDeclaration] = [],
        empty: Diagnostic, find: @escaping @Sendable (P, ListRequest<Order>, Input) async throws -> [Summary]
    ) -> Command {
        listing(
            summary: summary, examples: examples, by: order, byTime: byTime, parameters: parameters, empty: empty
        ) { plugin, request, input in
            let found = try await find(plugin, request, input)
            return (Array(found.prefix(request.limit)), found.count)
        }
    }

    /// The command `list` for an entity whose items are many: `part` returns at most the requested number of items and the
    /// number of all that match.
    package func listing<Order: ChoiceArgument>(
        summary: String? = nil, examples: [Example], by order: Order.Type, byTime: Bool = true,
        parameters: [any ParameterDeclaration] = [], empty: Diagnostic,
        part: @escaping @Sendable (P, ListRequest<Order>, Input) async throws -> (rows: [Summary], total: Int)
    ) -> Command {
        let words = Arguments<String>("WORD", .zeroOrMore, help: "only \(kind.many) that match all words")
        let orders = Order.allCases.map(\.rawValue)
        let names = orders.dropLast().joined(separator: ", ") + (orders.count > 1 ? " or " : "") + (orders.last ?? "")
        let sort = Option<Order>("sort", "FIELD", help: "sort by \(names)")
        return Command(
            "list", summary: summary ?? "list \(kind.many)", examples: examples,
            parameters: [words] + (kind.tags == nil ? [] : [tags]) + parameters + [
                sort, SharedOptions.reverse, SharedOptions.limit,
            ] + (byTime ? [SharedOptions.since, SharedOptions.until] : []) + [SharedOptions.trash], fields: fields
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let now = items.clock.now
            guard let usual = Order.allCases.first else { preconditionFailure("an order has at least one case") }
            let request = ListRequest(
                words: input[words].joined(separator: " "), tags: kind.tags == nil ? [] : input[tags],
                since: input[SharedOptions.since]?.instant(now: now, in: .system),
                until: SharedOptions.end(of: input[SharedOptions.until], now: now), order: input[sort] ?? usual,
                isReversed: input[SharedOptions.reverse], isTrash: input[SharedOptions.trash], limit: input.rowLimit())
            let (found, total) = try await part(plugin, request, input)
            let rows = try await items.listed(Array(found.prefix(request.limit)))
            let isChosen = request.isFiltered || parameters.contains { input.values.contains($0.parameter) }
            let none =
                isChosen
                ? Diagnostic("No \(kind.many) match")
                : request.isTrash ? Diagnostic("No \(kind.many) in the trash") : empty
            return .list(rows, fields, count: Output.count(rows.count, of: total, kind.many), empty: none)
        }
    }
}

extension EntityCommands {
    /// The command `search`: lists the items that `find` returns for words, best match first; at most `usual` of them on
    /// a terminal.
    package func search(
        summary: String? = nil, examples: [Example], prominence: Command.Prominence = .main, usual: Int = 50,
        find: @escaping @Sendable (P, [String]) async throws -> [Summary]
    ) -> Command {
        let words = Arguments<String>("WORD", .oneOrMore, help: "words or beginnings of words")
        return Command(
            "search", summary: summary ?? "search \(kind.many), best match first", examples: examples,
            prominence: prominence, parameters: [words, SharedOptions.limit], fields: fields
        ) { (plugin: P, input: Input) in
            let items = entities(plugin)
            let text = input[words].joined(separator: " ")
            let found = try await find(plugin, input[words])
            let rows = try await items.listed(Array(found.prefix(input.rowLimit(usual))))
            let near = found.isEmpty ? try await items.store.read { try kind.nearest(to: text, in: $0) } : nil
            return .matches(
                rows, fields, count: Output.count(rows.count, of: found.count, "matches"),
                none: Diagnostic("No \(kind.one) matches \"\(text)\"", hint: near.map { "did you mean \($0)?" }))
        }
    }
}
