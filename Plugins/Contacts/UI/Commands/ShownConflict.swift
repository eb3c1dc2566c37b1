import ContactsDomain
import HubKit

/// A conflict with both versions, as `conflicts` and the page show it.
struct ShownConflict: Sendable {
    let conflict: ContactConflict
    /// The beginning of the contact's id that names only it.
    let shortID: String

    /// How wide a column of values is at least.
    private static let valueWidth = 18

    /// The contact in a sentence: `Łukasz Nowak (7kt)`.
    var name: String { "\(conflict.contact.summary.shownName) (\(shortID))" }

    /// Whether one of the clashing values can be kept beside the other.
    var canKeepBoth: Bool { conflict.values.contains(where: \.canKeepBoth) }

    /// The lines for a person: when each side changed, both values, and what needed no decision.
    func lines(_ time: RelativeTime) -> [String] {
        let there = conflict.changedThere ?? conflict.since
        let head =
            "\(name): changed here \(time.words(for: conflict.changedHere)), on \(conflict.account) "
            + time.words(for: there)
        let rows = conflict.values.map { value in
            (value.name, ShownConflict.brief(value.ours), ShownConflict.brief(value.theirs))
        }
        let nameWidth = rows.map { DisplayWidth.of($0.0) }.max() ?? 0
        let width = max(ShownConflict.valueWidth, rows.map { DisplayWidth.of($0.1) }.max() ?? 0)
        func line(_ name: String, _ ours: String, _ theirs: String) -> String {
            "  \(ShownConflict.padded(name, nameWidth))  \(ShownConflict.padded(ours, width))  \(theirs)"
        }
        let merged = mergedWords
        return [head, line("", "1 here", "2 \(conflict.account)")] + rows.map { line($0.0, $0.1, $0.2) }
            + (merged.isEmpty ? [] : ["  merged by itself: \(merged.joined(separator: ", "))"])
    }

    /// What needed no decision: `email added on posteo`, `note changed here`.
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

    /// The first line of a value; a value that is gone says so.
    static func brief(_ value: String?) -> String {
        guard let value else { return "(removed)" }
        let lines = value.split(separator: "\n", maxSplits: 1)
        return (lines.first.map(String.init) ?? "") + (lines.count > 1 ? "…" : "")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    /// What a program gets, and the columns of the list.
    static let fields = [
        Field<ShownConflict>("id", "ID", help: "the contact's id") {
            .id($0.conflict.contact.id, shown: $0.shortID.count)
        },
        Field<ShownConflict>("name", "NAME", help: "the contact's name") {
            .text($0.conflict.contact.details.displayName)
        },
        Field<ShownConflict>("account", "ACCOUNT", help: "the account on the other side") {
            .text($0.conflict.account)
        },
        Field<ShownConflict>(
            "fields", "FIELDS", help: "what differs", cell: { $0.conflict.fields.joined(separator: ", ") }
        ) { FieldValue($0.conflict.fields) },
        Field<ShownConflict>("since", "SINCE", help: "when the sync found it") { .instant($0.conflict.since) },
        Field<ShownConflict>(
            "values", "VALUES", help: "each field that differs with both values", column: .onRequest
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
        Field<ShownConflict>(
            "merged", "MERGED", help: "what needed no decision", column: .onRequest,
            cell: { $0.mergedWords.joined(separator: ", ") }
        ) { FieldValue($0.mergedWords) },
        Field<ShownConflict>(
            "changed_here", "HERE", help: "when it was changed here", column: .onRequest
        ) { .instant($0.conflict.changedHere) },
        Field<ShownConflict>(
            "changed_there", "THERE", help: "when it was changed there, where their card says so", column: .onRequest
        ) { FieldValue($0.conflict.changedThere) },
    ]
}

extension ContactsPlugin {
    /// The conflicts as rows.
    func shown(_ conflicts: [ContactConflict]) async throws -> [ShownConflict] {
        let short = try await shortenIDs(conflicts.map(\.contact.id))
        return conflicts.map { ShownConflict(conflict: $0, shortID: short[$0.contact.id] ?? $0.contact.id) }
    }
}

extension ResolveConflict.Result {
    /// What was decided, in words: `2 mobile numbers`, `phone mobile +48 601 999 000`.
    func words(_ choice: CardMerge.Choice?) -> String {
        guard let choice else { return "as you wrote it" }
        return values.map { words(for: $0, choice) }.joined(separator: ", ")
    }

    private func words(for value: CardMerge.Clash, _ choice: CardMerge.Choice) -> String {
        switch choice {
        case .both where value.canKeepBoth:
            let kind = value.label.isEmpty ? "" : value.label + " "
            switch value.field {
            case "phone": return "\(count(contact.details.phones, value.label)) \(kind)numbers"
            case "email": return "\(count(contact.details.emails, value.label)) \(kind)e-mail addresses"
            default: return "both versions of \(value.name)"
            }
        case .here, .both: return "\(value.name) \(ShownConflict.brief(value.ours))"
        case .there: return "\(value.name) \(ShownConflict.brief(value.theirs))"
        }
    }

    private func count(_ values: [LabeledValue], _ label: String) -> Int { values.count { $0.label == label } }
}
