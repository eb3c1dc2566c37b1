import HubKit
import NotesDomain

/// The pages of published notes, which need no account.
enum PublicationEndpoint {
    static let route = ListenerRoute(
        "GET", NotesPlugin.publicationPath + "{token}", access: .everybody
    ) { (notes: NotesPlugin, request) in
        guard let page = try await notes.publishedPage(request.captures["token"] ?? "") else {
            return ListenerResponse(
                status: 404, headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array("There is no such note.\n".utf8))
        }
        return ListenerResponse(
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Content-Security-Policy", NoteHTML.policy),
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("X-Robots-Tag", "noindex"), ("Cache-Control", "no-store"),
            ], body: page)
    }
}
