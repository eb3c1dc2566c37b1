import HubKit

/// What assistants can do with contacts.
enum ContactTools {
    static let declarations = ToolDeclarations(
        lists: [
            ToolList("contacts", "people and organizations", command: "list"),
            ToolList("groups", "groups of contacts with their members", command: "groups", "list"),
            ToolList("birthdays", "birthdays of the next 30 days", command: "birthdays"),
        ],
        tools: [
            ToolDeclaration(
                "contact_create", title: "Create a contact",
                description: "Creates a contact and returns its id. Not for changing one: use contact_set.",
                command: "new", isAddition: true,
                parameters: [
                    ToolParameter("name", .text(200), "full name, such as Ada Lovelace", isRequired: true),
                    ToolParameter("fields", .texts(50), fields),
                ]),
            ToolDeclaration(
                "contact_set", title: "Change a contact",
                description: "Changes fields of one contact and returns it. All other fields stay as they are.",
                command: "set", isIdempotent: true,
                parameters: [
                    ToolParameter("id", .id, "id of the contact", isRequired: true),
                    ToolParameter("fields", .texts(50), fields, isRequired: true),
                ]),
        ])

    private static let fields = """
        FIELD=VALUE, such as phone.mobile=+48601234567, email+=ada@example.org (adds), email-=ada@example.org (removes), \
        birthday=1985-02-28, org=, note=, tag+=
        """
}
