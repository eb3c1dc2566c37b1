import Text

/// Notes as one HTML file that needs nothing else: the style and the pictures are in it, and it loads nothing.
package struct NoteHTML {
    private let note: PortableNote
    private let links: AttachmentLinks
    private var html = ""
    /// The open elements in which double brackets are only text.
    private var codeDepth = 0

    private init(_ note: PortableNote) {
        self.note = note
        links = AttachmentLinks(note.attachments)
    }

    /// Returns the file. `body` makes HTML of Markdown, without HTML of the text itself and without addresses that are not safe; nil if
    /// it cannot, then the text stays as it is written.
    package static func document(_ notes: [PortableNote], body: (String) -> String?) -> [UInt8] {
        let title = notes.count == 1 ? notes[0].displayName : "Notes"
        let articles = notes.map { note in
            let tags =
                note.tags.isEmpty
                ? "" : "<p class=\"tags\">\(escaped(note.tags.map { "#" + $0 }.joined(separator: " ")))</p>\n"
            let heading = note.title.isEmpty ? "" : "<h1 dir=\"auto\">\(escaped(note.title))</h1>\n"
            let text = body(note.content).map { NoteHTML.text(of: note, $0) } ?? "<pre>\(escaped(note.content))</pre>"
            return "<article>\n\(heading)\(tags)\(text)</article>\n"
        }
        return Array(
            """
            <!DOCTYPE html>
            <html>
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>
            \(style)
            </style>
            </head>
            <body>
            \(articles.joined())</body>
            </html>

            """.utf8)
    }

    /// What the file may load: nothing but what is in it.
    package static let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

    private static let style = """
        :root { color-scheme: light dark; }
        body { font: 1rem/1.6 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
        article + article { break-before: page; margin-top: 4rem; }
        h1, h2, h3, h4, h5, h6 { line-height: 1.25; break-after: avoid; }
        img { max-width: 100%; height: auto; }
        pre { overflow-x: auto; white-space: pre-wrap; padding: 0.75rem; border: 1px solid #8886; border-radius: 0.375rem; }
        code { font-family: ui-monospace, monospace; font-size: 0.9em; }
        blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 0.25rem solid #8886; }
        table { border-collapse: collapse; }
        th, td { border: 1px solid #8886; padding: 0.25rem 0.5rem; }
        li:has(> input) { list-style: none; margin-inline-start: -1.4rem; }
        .tags { opacity: 0.75; }
        @media print { :root { color-scheme: light; } body { margin: 0; max-width: none; padding: 0; } pre, img, tr { break-inside: avoid; } }
        """

    // MARK: The text

    private static func text(of note: PortableNote, _ body: String) -> String {
        var writer = NoteHTML(note)
        writer.write(Array(body.utf8))
        return writer.html
    }

    private mutating func write(_ body: [UInt8]) {
        var scanner = HTMLScanner(body)
        while let token = scanner.next() {
            switch token {
            case .text(let range, let isRaw):
                if codeDepth > 0 || isRaw {
                    html += String(decoding: scanner.raw(range), as: UTF8.self)
                } else {
                    writeText(scanner.string(range, isRaw: false))
                }
            case .open("img", let attributes, _):
                writePicture(attributes["src"] ?? "", attributes["alt"] ?? "")
            case .open(let name, let attributes, _):
                if ["code", "pre"].contains(name) { codeDepth += 1 }
                writeTag(name, attributes)
            case .close(let name):
                if ["code", "pre"].contains(name) { codeDepth -= 1 }
                html += "</\(name)>"
            }
        }
    }

    private mutating func writeTag(_ name: String, _ attributes: [HTMLScanner.Attribute]) {
        html += "<\(name)"
        // Where a file of the note, or another note, would be: it is not in this file.
        let isLost = name == "a" && !Self.isOnTheWeb(attributes["href"] ?? "")
        for attribute in attributes where attribute.name != "data-sourcepos" && !(isLost && attribute.name == "href") {
            html += " \(attribute.name)=\"\(Self.escaped(attribute.value))\""
        }
        html += ">"
    }

    private static func isOnTheWeb(_ address: String) -> Bool {
        ["https:", "http:", "mailto:", "#"].contains { address.lowercased().hasPrefix($0) }
    }

    private mutating func writePicture(_ source: String, _ words: String) {
        if let address = picture(source) {
            html += "<img src=\"\(address)\" alt=\"\(Self.escaped(words))\">"
        } else if Self.isOnTheWeb(source) {
            html += "<a href=\"\(Self.escaped(source))\">\(Self.escaped(words.isEmpty ? source : words))</a>"
        } else {
            html += Self.escaped("[\(words.isEmpty ? source : words)]")
        }
    }

    /// The picture that a target leads to, as an address that holds it.
    private func picture(_ target: String) -> String? {
        guard let index = links.index(of: target, in: ByteString(note.folder)) else { return nil }
        let attachment = note.attachments[index]
        let type = MediaType.of(attachment.path)
        // What was not read is not here.
        guard MediaType.isPicture(type), case .bytes(let bytes) = attachment.content else { return nil }
        return "data:\(type);base64,\(Base64.encode(bytes))"
    }

    /// Text with links in double brackets: the words of a link, and the pictures of the note.
    private mutating func writeText(_ text: String) {
        var rest = text[...]
        while let open = rest.firstRange(of: "[["), let close = rest[open.upperBound...].firstRange(of: "]]") {
            let inside = rest[open.upperBound..<close.lowerBound]
            guard !inside.isEmpty, !inside.contains(where: { $0.isNewline || $0 == "[" || $0 == "]" }) else {
                html += Self.escaped(String(rest[..<open.upperBound]))
                rest = rest[open.upperBound...]
                continue
            }
            let isEmbedded = rest[..<open.lowerBound].last == "!"
            html += Self.escaped(String(rest[..<open.lowerBound].dropLast(isEmbedded ? 1 : 0)))
            let parts = inside.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if isEmbedded, let address = picture(parts[0]) {
                html += "<img src=\"\(address)\" alt=\"\(Self.escaped(parts[0]))\">"
            } else {
                html += Self.escaped(parts.last ?? parts[0])
            }
            rest = rest[close.upperBound...]
        }
        html += Self.escaped(String(rest))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}

extension PortableNote {
    /// The title, or else the first line of the text.
    fileprivate var displayName: String { NoteRecord.displayName(title: title, content: content) }
}
