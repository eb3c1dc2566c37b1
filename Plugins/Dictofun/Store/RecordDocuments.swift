import Storage

/// What hubs exchange of records: sound, tags, the person's text and what an engine heard. The files follow from the columns that name them.
enum RecordDocuments {
    static let all = [
        DocumentKind(
            "records", noun: ("record", "records"),
            tables: [
                DocumentTable(
                    "dictofun_record", subject: "id",
                    rules: [
                        "revision": .revision, "created_at": .least, "changed_at": .greatest, "deleted_at": .trash,
                    ], groups: [["blob", "size", "format", "length_ms"]]),
                DocumentTable("dictofun_tag", subject: "record"),
                DocumentTable("dictofun_transcript", subject: "record", whole: "transcript"),
            ], match: ["blob"], lazyFiles: "created_at")
    ]
}
