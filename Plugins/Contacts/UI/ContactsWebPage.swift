import HubKit

/// The page of contacts in the web app.
enum ContactsWebPage {
    static let declaration = PageDeclaration(
        icon: #"<circle cx="12" cy="8.2" r="4"/><path d="M4 20.2c.7-4.1 4-6.2 8-6.2s7.3 2.1 8 6.2"/>"#,
        toolbar: PackageResources.toolbar_html, content: PackageResources.contacts_html, modules: modules,
        styles: [("contacts", PackageResources.contacts_css)], firstUse: firstUse,
        additions: [
            QuickAddition(
                "Contact", icon: "person", label: "Name",
                .send(path: "/api/contacts", body: #"{"form":[{"field":"name","value":"$text"}]}"#))
        ],
        shares: [
            ShareTarget(
                "Import contacts", icon: "person", path: "/api/contacts/import",
                .files(["text/vcard", "text/x-vcard", "text/directory", ".vcf"]))
        ])

    private static let modules = [
        ("contacts", PackageResources.contacts_js),
        ("page", PackageResources.page_js),
        ("people", PackageResources.people_js),
        ("card", PackageResources.card_js),
        ("form", PackageResources.form_js),
        ("labels", PackageResources.labels_js),
        ("selection", PackageResources.selection_js),
        ("importing", PackageResources.importing_js),
        ("photo", PackageResources.photo_js),
        ("duplicates", PackageResources.duplicates_js),
        ("conflicts", PackageResources.conflicts_js),
        ("birthdays", PackageResources.birthdays_js),
    ]

    private static let firstUse = FirstUse(
        "Your contacts",
        text: "People with their numbers, addresses and birthdays. Search finds a name however it is spelled.",
        steps: [FirstUse.Step("Add your first contact", path: "/contacts?view=new")],
        importPath: "/api/contacts/import"
    ) { (contacts: ContactsPlugin) in try await contacts.search("", limit: 1).total == 0 }
}
