import Commands
import ContactsDomain
import HubKit

/// A conflict with both versions, as output of `conflicts` and of the web page.
struct ConflictView: Sendable {
    let conflict: ContactConflict
    /// The shortest unique prefix of the contact's id.
    let shortID: String

    /// The minimum width of a value column.
    private static let valueWidth = 18

    /// The name and short id for messages: `Łukasz Nowak (7kt)`.
    var name: String { "\(conflict.contact.summary.shownName) (\(shortID))" }

    /// Whether both conflicting values can be kept.
    var canKeepBoth: Bool { conflict.values.contains(where: \.canKeepBoth) }

    /// The lines of the human-readable output: times, both values, and merged fields.
    func lines(_ time: RelativeTime) -> [String] {
        let there = conflict.changedThere ?? conflict.since
        let head =
            "\(name): changed here \(time.words(for: conflict.changedHere)), on \(conflict.account) "
            + time.words(for: there)
        let rows = conflict.values.map { value in
            (value.name, ConflictView.brief(value.ours), ConflictView.brief(value.theirs))
        }
        let nameWidth = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        let width = max(ConflictView.valueWidth, rows.map { DisplayWidth.of($0.1) }.max() ?? 0)
        func line(_ name: String, _ ours: String, _ theirs: String) -> String {
            "  \(name.padded(to: nameWidth))  \(ours.padded(to: width))  \(theirs)"
        }
        let merged = mergedWords
        return [head, line("", "1 here", "2 \(conflict.account)")] + rows.map { line($0.0, $0.1, $0.2) }
            + (merged.isEmpty ? [] : ["  merged by itself: \(merged.joined(separator: ", "))"])
    }

    /// The fields that were merged without a decision: `email added on posteo`, `note changed here`.
    var mergedWords: [String] {
        func words(_ changes: [FieldChange], _ place: String) -> [String] {
            var words: [String] = []
            for change in changes {
                let verb = change.old == nil ? "added" : change.new == nil ? "removed" : "changed"
                let text = "\(change.field) \(verb) \(place)"
                if !words.contains(text) { words.append(text) }
            }
            return words
        }
        return words(conflict.mergedFromThere, "on \(conflict.account)") + words(conflict.mergedFromHere, "here")
    }

    /// The first line of a value; `(removed)` for nil.
    static func brief(_ value: String?) -> String {
        guard let value else { return "(removed)" }
        let lines = value.split(separator: "\n", maxSplits: 1)
        return (lines.first.map(String.init) ?? "") + (lines.count > 1 ? "…" : "")
    }

    /// The output fields.
    static let fields = [
        Field<ConflictView>("id", "ID", help: "id of the contact") {
            .id($0.conflict.contact.id, shown: $0.shortID.count)
        },
        Field<ConflictView>("name", "NAME", help: "name of the contact") {
            .text($0.conflict.contact.details.displayName)
        },
        Field<ConflictView>("account", "ACCOUNT", help: "account of the other version") {
            .text($0.conflict.account)
        },
        Field<ConflictView>(
            "fields", "FIELDS", help: "conflicting fields", cell: { $0.conflict.fields.joined(separator: ", ") }
        ) { FieldValue($0.conflict.fields) },
        Field<ConflictView>("since", "SINCE", help: "time when the conflict was found") {
            .instant($0.conflict.since)
        },
        Field<ConflictView>(
            "values", "VALUES", help: "conflicting fields, each with both values", column: .onRequest
        ) { shown in
            .list(
                shown.conflict.values.map { value in
                    .object([
                        .init("field", .text(value.field)), .init("kind", .text(value.label)),
                        .init("here", FieldValue(value.ours)), .init("there", FieldValue(value.theirs)),
                        .init("can_keep_both", .bool(value.canKeepBoth)),
                    ])
                })
        },
        Field<ConflictView>(
            "merged", "MERGED", help: "fields that were merged automatically", column: .onRequest,
            cell: { $0.mergedWords.joined(separator: ", ") }
        ) { FieldValue($0.mergedWords) },
        Field<ConflictView>(
            "changed_here", "HERE", help: "time of the change here", column: .onRequest
        ) { .instant($0.conflict.changedHere) },
        Field<ConflictView>(
            "changed_there", "THERE", help: "time of the change in the account, if the card states it",
            column: .onRequest
        ) { FieldValue($0.conflict.changedThere) },
    ]
}

extension ContactsPlugin {
    /// Returns the conflicts as rows.
    func shown(_ conflicts: [ContactConflict]) async throws -> [ConflictView] {
        let short = try await entities.shortIDs(of: conflicts.map(\.contact.id))
        return conflicts.map { ConflictView(conflict: $0, shortID: short[$0.contact.id] ?? $0.contact.id) }
    }
}

extension ResolvedConflict {
    /// Describes the decision: `2 mobile numbers`, `phone mobile +48 601 999 000`.
    func words(_ choices: CardMerge.Choices?) -> String {
        guard let choices else { return "as you wrote it" }
        return values.map { words(for: $0, choices[$0.name] ?? .here) }.joined(separator: ", ")
    }

    private func words(for value: CardMerge.Conflict, _ choice: CardMerge.Choice) -> String {
        switch choice {
        case .both where value.canKeepBoth:
            let kind = value.label.isEmpty ? "" : value.label + " "
            switch value.field {
            case "phone": return "\(count(contact.details.phones, value.label)) \(kind)numbers"
            case "email": return "\(count(contact.details.emails, value.label)) \(kind)e-mail addresses"
            default: return "both versions of \(value.name)"
            }
        case .here, .both: return "\(value.name) \(ConflictView.brief(value.ours))"
        case .there: return "\(value.name) \(ConflictView.brief(value.theirs))"
        }
    }

    private func count(_ values: [LabeledValue], _ label: String) -> Int { values.count { $0.label == label } }
}
