import HubKit
import NotesDomain

/// The page of notes in the web app.
enum NotesWebPage {
    static let declaration = PageDeclaration(
        icon: #"<path d="M6 3.8h8.2L18.5 8v12.2H6z"/><path d="M14 3.8V8.2h4.5M9 12.2h6.5M9 15.8h6.5"/>"#,
        toolbar: PackageResources.toolbar_html, content: PackageResources.notes_html, modules: modules,
        styles: [("notes", PackageResources.notes_css)], firstUse: firstUse,
        additions: [
            QuickAddition(
                "Note", icon: "note", label: "Title",
                .send(path: "/api/notes", body: #"{"title":"$text","key":"$key"}"#))
        ],
        shares: [
            ShareTarget(
                "New note", icon: "note", path: "/api/notes",
                .text(body: #"{"title":"$title","content":"$text","key":"$key"}"#))
        ])

    private static let modules = [
        ("notes", PackageResources.notes_js),
        ("page", PackageResources.page_js),
        ("notelist", PackageResources.notelist_js),
        ("editor", PackageResources.editor_js),
        ("field", PackageResources.field_js),
        ("markdownfield", PackageResources.markdownfield_js),
        ("markdownstyle", PackageResources.markdownstyle_js),
        ("lines", PackageResources.lines_js),
        ("peerlayer", PackageResources.peerlayer_js),
        ("shownform", PackageResources.shownform_js),
        ("typinghistory", PackageResources.typinghistory_js),
        ("change", PackageResources.change_js),
        ("editclient", PackageResources.editclient_js),
        ("places", PackageResources.places_js),
        ("live", PackageResources.live_js),
        ("socket", PackageResources.socket_js),
        ("peers", PackageResources.peers_js),
        ("carets", PackageResources.carets_js),
        ("drafts", PackageResources.drafts_js),
        ("markdown", PackageResources.markdown_js),
        ("attachments", PackageResources.attachments_js),
        ("versions", PackageResources.versions_js),
        ("sharing", PackageResources.sharing_js),
        ("publishing", PackageResources.publishing_js),
        ("actions", PackageResources.actions_js),
    ]

    private static let firstUse = FirstUse(
        "Your notes",
        text:
            "Notes in Markdown with search, links and a history of every word. You can edit a note in two windows at once.",
        steps: [FirstUse.Step("Write your first note", path: "/notes?view=new")]
    ) { (notes: NotesPlugin) in try await notes.list(NoteFilter(), limit: 1).total == 0 }
}
