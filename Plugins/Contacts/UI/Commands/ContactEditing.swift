import Commands
package import ContactsDomain
import HubKit

/// Edits a contact in the user's editor and reports the change.
struct ContactEditing: Sendable {
    private let contacts: ContactsPlugin
    private let input: Input

    init(_ contacts: ContactsPlugin, _ input: Input) {
        self.contacts = contacts
        self.input = input
    }

    /// Returns the details as saved in the editor; nil if nothing changed or the user drops the changes.
    func edited(_ details: ContactDetails, title: String, isNew: Bool) async throws -> ContactDetails? {
        try await input.edited(
            ContactForm(details, title: title, isNew: isNew).text, suffix: ".contact",
            option: isNew ? "hub contacts new NAME FIELD=VALUE" : "hub contacts set SEL FIELD=VALUE"
        ) { text in
            Self.reading(ContactForm.read(text, editing: details))
        } readingRest: { text in
            Self.reading(ContactForm.readWithoutFaults(text, editing: details))
        }
    }

    private static func reading(_ reading: ContactForm.Reading) -> EditorReading<ContactDetails> {
        reading.problems.isEmpty
            ? .valid(reading.details)
            : .invalid(reading.problems.map { EditorProblem($0.excerptLines, hint: $0.hint) })
    }

    /// Changes a contact and returns the changed fields as output.
    func update(
        _ contact: ContactSummary, expecting revision: Int? = nil,
        _ change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> Output {
        let result = try await contacts.update(
            contact.id, expecting: revision, operation: Operation(plannable: input), change: change)
        let name = try await contacts.entities.label(of: result.contact.summary)
        guard !result.changes.isEmpty else { return .done("\(name): nothing changed") }
        let untouched = NumberFormat.counted(result.untouched, "property", "properties")
        let row = try await contacts.entities.listed(result.contact.summary)
        var output = Output.edited(
            input.dryRun
                ? "\(name) would change: \(Self.list(result.changes))"
                : "\(name): \(Self.list(result.changes)), \(untouched) untouched",
            row, ContactListItem.fields)
        output.notes += try await contacts.readOnlyNotes([contact.id])
        return output
    }

    /// Changes several contacts and returns a row for each that changed.
    func update(
        _ chosen: [ContactSummary], _ change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> Output {
        let results = try await contacts.updateAll(
            chosen.map(\.id), operation: Operation(plannable: input), change: change)
        if results.isEmpty { return .done("Nothing changed") }
        let rows = try await contacts.entities.listed(results.map(\.contact.summary))
        let count = NumberFormat.counted(results.count, "contact")
        var output = Output.list(rows, ContactListItem.fields)
        output.human =
            zip(rows, results).map { "\($0.summary.shownName) (\($0.shortID)): \(Self.list($1.changes))" }
            + [input.dryRun ? "\(count) would change" : "\(count) changed"]
        output = output.asEdit(.last)
        output.notes += try await contacts.readOnlyNotes(results.map(\.contact.id))
        return output
    }

    private static func list(_ changes: [FieldChange]) -> String {
        changes.isEmpty ? "nothing" : changes.map(\.description).joined(separator: ", ")
    }
}

extension InputProblem {
    /// The line with the error underlined.
    package var excerptLines: [String] {
        // An error about a whole file or an empty card has no line to show.
        if line == 0 || excerpt.isEmpty { return [] }
        return SourceExcerpt(
            lines: [excerpt], line: line, columns: columns.lowerBound..<(columns.upperBound + 1), note: note ?? message
        ).rendered
    }
}
