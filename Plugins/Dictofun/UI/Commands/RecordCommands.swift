import Commands
import DictofunDomain
import HubKit

/// The commands of records that follow from the description of the entity.
enum RecordCommands {
    /// The commands and parameters.
    static let entity = EntityCommands(
        StoredRecord.kind, valueName: "RECORD", oneForm: "id, words of its text or name, or last",
        manyForms: "ids, words, last", fields: RecordListItem.fields
    ) { (dictofun: DictofunPlugin, typed) in
        try await dictofun.completeRecords(typed)
    } in: { dictofun in
        dictofun.records
    }

    /// One selector.
    static let one = entity.one
    /// Several selectors.
    static let many = entity.many
    /// The option `--tag` of lists.
    static let tags = entity.tags

    static let remove = entity.remove(
        examples: [
            Example("hub dictofun rm plumber", "the record about the plumber"),
            Example("hub dictofun rm --tag done --yes", "all with a tag, without confirmation"),
        ], byTag: true)

    static let restore = entity.restore(examples: [
        Example("hub dictofun restore plumber", "one record"),
        Example("hub dictofun restore last", "the one that was removed last"),
    ])

    static let tagging = entity.tagging { verb in
        [
            Example("hub dictofun \(verb) plumber home urgent", "two tags"),
            Example("hub dictofun \(verb) last idea", "the newest record"),
        ]
    }

    /// Returns the record that an argument selects.
    static func record(_ dictofun: DictofunPlugin, _ input: Input) async throws -> StoredRecord {
        let chosen = try await dictofun.records.select(input[one], asking: input)
        return try await dictofun.records.get(chosen.id)
    }
}
