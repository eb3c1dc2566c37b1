package import Commands
import Storage

/// The commands and parameters of one of a plugin's main nouns.
package struct EntityCommands<P: Plugin, Record: EntityRecord>: Sendable {
    /// The values of an item in lists and messages.
    package typealias Summary = Record.Summary

    /// The description of the entity.
    package let kind: EntityKind<Record>
    /// The items of the plugin.
    package let entities: @Sendable (P) -> Entities<Record>
    /// The columns of a list of items.
    package let fields: [Field<ListedEntity<Summary>>]
    /// One selector.
    package let one: Argument<String>
    /// One selector, or `-` for several on stdin; for commands with more arguments.
    package let oneOrStdin: Argument<String>
    /// Several selectors.
    package let many: Arguments<String>
    /// Several selectors, or none if an option selects the items.
    package let some: Arguments<String>
    /// Only items that have all these tags.
    package let tags: Option<[String]>
    /// The items that a typed text may mean.
    package let completion: Completion
    /// The tags in use.
    package let tagCompletion: Completion

    /// Creates the commands. `valueName` stands for a selector in usage lines; `oneForm` and `manyForms` list the forms
    /// of selectors in the help; `complete` returns the items that a typed text may mean, at most fifty.
    package init(
        _ kind: EntityKind<Record>, valueName: String, oneForm: String, manyForms: String,
        fields: [Field<ListedEntity<Summary>>], complete: @escaping @Sendable (P, String) async throws -> [Summary],
        in entities: @escaping @Sendable (P) -> Entities<Record>
    ) {
        self.kind = kind
        self.entities = entities
        self.fields = fields
        completion = Completion.from(P.self) { plugin, typed in
            try await entities(plugin).listed(complete(plugin, typed)).map {
                CompletionWord(id: $0.shortID, name: $0.summary.name)
            }
        }
        let forms = "\(kind.many): \(manyForms), or - for stdin"
        one = Argument(valueName, help: "\(kind.one): \(oneForm)", completion: completion)
        oneOrStdin = Argument(
            valueName, help: "\(kind.one): \(oneForm), or - for several on stdin", completion: completion)
        many = Arguments(valueName, .oneOrMore, help: forms, completion: completion)
        some = Arguments(valueName, .zeroOrMore, help: forms, completion: completion)
        tagCompletion = .from(P.self) { plugin, _ in
            try await entities(plugin).tags().map { CompletionWord($0.tag, kind.counted($0.count)) }
        }
        tags = Option(
            "tag", "TAG", help: "only \(kind.many) with this tag (can be repeated)", completion: tagCompletion)
    }

    /// The commands `rm`, `restore`, `tag`, `untag`, `tags`, `history` and `diff`, as far as the entity has them, for a
    /// plugin that adds nothing to them.
    package var common: [Command] {
        [remove(byTag: kind.tags != nil), restore()] + (kind.tags == nil ? [] : tagging())
            + (kind.versions == nil ? [] : [history(), diff()])
    }

    /// The words of the command path after `hub`, such as `contacts`.
    var path: String { kind.command.split(separator: " ").dropFirst().joined(separator: " ") }

    /// Returns names for a message, at most five of them.
    func names(_ items: [Summary]) -> String { NameList.line(items.map(\.shownName)) }
}
