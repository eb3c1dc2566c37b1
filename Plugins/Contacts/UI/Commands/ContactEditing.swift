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

    /// Returns the saved text; nil if the user drops the changes. Invalid lines are shown, and the user may open the
    /// editor again with the same text.
    func edited(_ details: ContactDetails, title: String, isNew: Bool) async throws -> ContactDetails? {
        let form = ContactForm(details, title: title, isNew: isNew)
        var text = form.text
        while true {
            text = try await input.edit(
                text, suffix: ".contact",
                option: isNew ? "hub contacts new NAME FIELD=VALUE" : "hub contacts set SEL FIELD=VALUE")
            if text == form.text || text.allSatisfy(\.isWhitespace) { return nil }
            let reading = ContactForm.read(text, editing: details)
            if reading.problems.isEmpty { return reading.details }
            await input.console.show(complaint(reading.problems))
            let lines = reading.problems.count == 1 ? "this line" : "these lines"
            switch try await input.choose(
                "Edit again, save without \(lines), or drop all changes?", letters: ["e", "s", "d"],
                option: "hub contacts set SEL FIELD=VALUE")
            {
            case "s":
                let kept = ContactForm.readWithoutFaults(text, editing: details)
                if kept.problems.isEmpty { return kept.details }
                await input.console.show(complaint(kept.problems))
            case "d": return nil
            default: break
            }
        }
    }

    /// Changes a contact and returns the changed fields as output.
    func update(
        _ contact: ContactSummary, expecting revision: Int? = nil,
        _ change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> Output {
        if input.dryRun {
            let before = try await contacts.entities.get(contact.id).details
            var after = before
            try change(&after)
            let changes = before.changes(to: after)
            return .done("\(try await contacts.entities.label(of: contact)) would change: \(Self.list(changes))")
        }
        let result = try await contacts.update(
            contact.id, expecting: revision, operation: Operation(input), change: change)
        let name = try await contacts.entities.label(of: result.contact.summary)
        guard !result.changes.isEmpty else { return .done("\(name): nothing changed") }
        let untouched = NumberFormat.counted(result.untouched, "property", "properties")
        let row = try await contacts.entities.listed(result.contact.summary)
        var output = Output.changed(
            "\(name): \(Self.list(result.changes)), \(untouched) untouched. Undo: hub undo", row, ContactListItem.fields
        )
        output.notes += try await contacts.readOnlyNotes([contact.id])
        return output
    }

    private func complaint(_ problems: [InputProblem]) -> [String] {
        let count = NumberFormat.counted(problems.count, "line needs", "lines need")
        return ["error: not saved yet: \(count) a look"]
            + problems.flatMap { problem in
                problem.excerptLines.map { "  " + $0 } + [problem.hint].compactMap { $0 }.map { "  hint: \($0)" }
            }
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
