import Commands
import ContactsDomain
import HubKit

/// `hub contacts edit`: edits a contact as a form in the editor.
enum EditCommand {
    static let command = Command(
        "edit", summary: "edit a contact in the editor",
        discussion: [
            "The form is checked when you save it. Properties that it does not show stay unchanged."
        ],
        examples: [
            Example("hub contacts edit lukasz", "in $VISUAL or $EDITOR"),
            Example("hub contacts edit last", "the newest contact"),
        ],
        parameters: [ContactCommands.one], fields: ContactListItem.fields, changes: true
    ) { (contacts: ContactsPlugin, input: Input) in
        let chosen = try await contacts.entities.select(input[ContactCommands.one], asking: input)
        if input.dryRun { return .done("Would open \(try await contacts.entities.label(of: chosen)) in the editor") }
        let contact = try await contacts.entities.get(chosen.id)
        let editing = ContactEditing(contacts, input)
        let edited = try await editing.edited(contact.details, title: contact.details.displayName, isNew: false)
        guard let edited else { return .cancelled }
        return try await editing.update(chosen, expecting: contact.revision) { $0 = edited }
    }
}
