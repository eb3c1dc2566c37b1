import Commands
import HubKit
import NotesDomain

/// `hub notes export`: writes notes with their attachments.
enum ExportCommand {
    private static let notes = Arguments<String>(
        "NOTE", .zeroOrMore, help: "notes to export (default: all)", completion: NoteCommands.entity.completion)
    private static let format = Option<NoteExportFormat>(
        "as", "FORMAT", help: "markdown (a folder), jex (Joplin), json, html, text or pdf", hasEnvironmentVariable: true
    )

    static let command = Command(
        "export", summary: "export notes as Markdown, JSON, HTML, text, PDF, for Joplin",
        discussion: [
            "The output is reproducible byte for byte, but for PDF. A folder needs -o DIR and is the default with it.",
            "HTML is one file with the pictures inside, which loads nothing. A PDF is made of it by weasyprint, Chromium or "
                + "wkhtmltopdf, whichever is installed.",
        ],
        examples: [
            Example("hub notes export -o notes-export", "a folder of Markdown files"),
            Example("hub notes export shopping --as json", "one note on stdout"),
            Example("hub notes export --as jex -o notes.jex", "for Joplin"),
            Example("hub notes export last -o note.html", "one note as a web page"),
        ], prominence: .more, parameters: [notes, format]
    ) { (plugin: NotesPlugin, input: Input) in
        let words = input[notes]
        let ids = words.isEmpty ? nil : try await plugin.notes.select(words, asking: input).map(\.id)
        let path = input[GlobalOptions.output].flatMap { $0 == "-" ? nil : $0 }
        let format = input[format] ?? (path == nil ? .json : kind(of: path ?? ""))
        guard format == .markdown else { return .file(try await plugin.export(ids, as: format)) }
        guard let path else {
            throw HubError(
                .usage, code: "folder-missing", "a Markdown export needs a folder",
                hint: "use hub notes export --as markdown -o DIR")
        }
        var output: Output
        if input.dryRun {
            output = .done(
                "Would write \(ids.map { NumberFormat.counted($0.count, "note") } ?? "all notes") to \(path)")
        } else {
            let report = try await plugin.exportFolder(ids, to: path, isForced: input[GlobalOptions.force])
            let same = report.unchanged == 0 ? "" : ", \(NumberFormat.grouped(report.unchanged)) unchanged"
            output = .done("\(path): \(NumberFormat.counted(report.written, "file")) written\(same)")
        }
        output.wroteFile = true
        return output
    }

    /// The format that a file name says; a folder otherwise.
    private static func kind(of path: String) -> NoteExportFormat {
        switch path.split(separator: ".").last {
        case "json": .json
        case "jex": .jex
        case "html", "htm": .html
        case "txt": .text
        case "pdf": .pdf
        default: .markdown
        }
    }
}

extension NoteExportFormat: ChoiceArgument {}
