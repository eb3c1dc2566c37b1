import NotesDomain
import System

/// How large the texts of a stored note may be.
enum NoteSizes {
    /// Refuses what is larger than a note may be, and than it was before.
    static func check(
        title: String, content: String, factor: Int, instead old: () -> (title: String, content: String)
    ) throws(HubError) {
        let (titleSize, contentSize) = (title.utf8.count, content.utf8.count)
        guard titleSize <= factor * NoteLimits.title || titleSize <= old().title.utf8.count else {
            throw HubError(
                .invalid, code: "title-too-long",
                "the title has \(NumberFormat.grouped(titleSize)) bytes; at most \(NumberFormat.grouped(NoteLimits.title)) are stored",
                hint: "put the text into the note")
        }
        guard contentSize <= factor * NoteLimits.content || contentSize <= old().content.utf8.count else {
            throw HubError(
                .invalid, code: "note-too-large",
                "the text has \(NumberFormat.grouped(contentSize)) bytes; at most \(NumberFormat.grouped(NoteLimits.content)) are stored",
                hint: "split it into several notes")
        }
    }

    /// Refuses what is larger than a note may be, and than `old`; what comes of a merge may be larger than what may be typed.
    static func check(_ note: NoteRecord, isMerge: Bool, instead old: NoteRecord?) throws(HubError) {
        try check(
            title: note.title, content: note.content, factor: isMerge ? NoteLimits.mergeFactor : 1,
            instead: { (old?.title ?? "", old?.content ?? "") })
    }
}
