import Commands
import ContactsDomain
import HubKit

/// `hub contacts set`: changes fields without an editor.
enum SetCommand {
    private static let assignments = Arguments<String>(
        "FIELD=VALUE", .oneOrMore, help: "phone=… replaces, phone+=… adds, phone-=… removes, phone.mobile=… by kind")

    static let command = Command(
        "set", summary: "change fields of a contact without an editor",
        examples: [
            Example("hub contacts set lukasz birthday=1985-02-28", "one field"),
            Example("hub contacts set lukasz phone.mobile=\"+48 601 234 567\" tag+=chess", "several at once"),
            Example(
                "hub contacts list --plain=id oslo | hub contacts set - org=Fjord", "all contacts that match a word"),
        ], parameters: [ContactCommands.oneOrStdin, assignments], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let changes = try FieldAssignment.together(
            try input[assignments].map { word in
                guard let assignment = try FieldAssignment(word: word) else {
                    throw HubError(
                        .usage, code: "no-assignment", "\"\(word)\" is not an assignment",
                        hint: "use FIELD=VALUE, such as phone.mobile=\"\(word)\"")
                }
                return assignment
            })
        let chosen = try await contacts.entities.select([input[ContactCommands.oneOrStdin]], asking: input)
        let apply: @Sendable (inout ContactDetails) throws -> Void = { details in
            for change in changes { try change.applied(to: &details) }
        }
        let editing = ContactEditing(contacts, input)
        return chosen.count == 1 ? try await editing.update(chosen[0], apply) : try await editing.update(chosen, apply)
    }
}

extension FieldAssignment {
    /// Parses an argument; nil if it is not an assignment. Throws a usage error.
    init?(word: String) throws(HubError) {
        do throws(ParseError) {
            guard let assignment = try FieldAssignment(argument: word) else { return nil }
            self = assignment
        } catch {
            throw HubError(.usage, code: "field-invalid", error.message, hint: error.hint)
        }
    }

    /// Returns the assignments of one command. Throws a usage error if a field with one value is given twice.
    static func together(_ assignments: [FieldAssignment]) throws(HubError) -> [FieldAssignment] {
        do throws(ParseError) {
            return try combined(assignments)
        } catch {
            throw HubError(.usage, code: "field-invalid", error.message, hint: error.hint)
        }
    }

    /// Applies the assignment to `details`. Throws `invalid` if the field does not accept the value.
    func applied(to details: inout ContactDetails) throws(HubError) {
        do throws(ParseError) {
            try apply(to: &details)
        } catch {
            throw HubError(.invalid, code: "value-invalid", error.message, hint: error.hint)
        }
    }
}
