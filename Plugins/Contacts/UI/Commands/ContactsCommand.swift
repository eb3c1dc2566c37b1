import Commands
import HubKit

/// `hub contacts` and its subcommands.
enum ContactsCommand {
    static let tree = Command(
        group: "contacts", nouns: ["contact", "contacts"], summary: "people and address books",
        examples: [
            Example("hub contacts import people.vcf", "import your contacts"),
            Example("hub contacts search lukasz", "search all contact fields"),
        ], view: "list",
        subcommands: [
            ListCommand.command, SearchCommand.command, ShowCommand.command, NewCommand.command, EditCommand.command,
            SetCommand.command, ContactCommands.remove, ContactCommands.restore,
        ] + ContactCommands.tagging + [
            ImportCommand.command, ExportCommand.command, QueryCommand.command,
            AddressCommands.email, AddressCommands.phone, AddressCommands.postal, BirthdaysCommand.command,
            DatesCommand.command,
            ContactCommands.history, ContactCommands.diff, AccountCommands<ContactsPlugin>.accounts,
            AccountCommands<ContactsPlugin>.sync, AccountCommands<ContactsPlugin>.status,
            BooksCommands.command, GroupsCommands.command, SavedSearchCommands<ContactsPlugin>.group,
            MoveCommand.command,
            MoveCommand.copy,
            DuplicatesCommand.command,
            MergeCommand.command,
            ConflictsCommands.group, QRCommand.command, PhotoCommand.command,
        ])

    /// The suggestions when there are no contacts.
    static let empty = Diagnostic(
        "No contacts",
        suggestions: [
            Example("hub contacts new", "write the first one"),
            Example("hub contacts import FILE", "vCard, Google or Outlook CSV, abook, LDIF"),
            AddressBooks.kind.texts.firstSteps[0],
        ])
}
