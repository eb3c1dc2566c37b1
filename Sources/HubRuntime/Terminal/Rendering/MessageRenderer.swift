package import Commands

/// Writes errors and notes for stderr, as text or as JSON.
package struct MessageRenderer: Sendable {
    private let isJSON: Bool
    private let palette: Palette
    private let glyphs: Glyphs
    private let isVerbose: Bool
    private let context: [String]

    /// A renderer in the colours of stderr; `isVerbose` adds the causes of errors, and `context`: where the command worked.
    package init(
        isJSON: Bool, palette: Palette, glyphs: Glyphs, isVerbose: Bool = false, context: [String] = []
    ) {
        self.isJSON = isJSON
        self.palette = palette
        self.glyphs = glyphs
        self.isVerbose = isVerbose
        self.context = context
    }

    /// The lines of an error: what failed, indented why, what to type.
    package func lines(_ error: HubError) -> [String] {
        if isJSON { return [json(error)] }
        var details = error.details
        if isVerbose {
            details.append("code \(error.code), exit \(error.kind.exitCode)")
            for cause in error.causes { details += "caused by: \(cause)".split(separator: "\n").map(String.init) }
            details += context
        }
        return [palette.paint("error:", .bad) + " " + printable(error.message)]
            + details.map { "  " + printable($0) } + hint(error.hint)
    }

    /// The lines of a note.
    package func lines(_ note: Diagnostic) -> [String] {
        if isJSON { return [json(note)] }
        let mark = note.level == .warning ? palette.paint("!", .warning) + " " : ""
        let suggestions = TextLayout.definitions(
            note.suggestions.map { (printable($0.command), printable($0.summary)) }, width: .max)
        return [mark + printable(note.text)] + hint(note.hint) + suggestions
    }

    private func hint(_ hint: String?) -> [String] {
        hint.map { ["  " + palette.paint("hint:", .strong) + " " + printable($0)] } ?? []
    }

    private func printable(_ text: String) -> String { glyphs.adapt(TerminalSanitizer.line(text)) }

    private func json(_ error: HubError) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("error")
            writer.object { writer in
                writer.name("code")
                writer.value(error.code)
                writer.name("exit")
                writer.value(Int(error.kind.exitCode))
                writer.name("message")
                writer.value(error.message)
                if !error.details.isEmpty {
                    writer.name("details")
                    writer.array { writer in for detail in error.details { writer.value(detail) } }
                }
                writer.name("hint")
                writer.value(FieldValue(error.hint))
                guard isVerbose else { return }
                writer.name("causes")
                writer.array { writer in for cause in error.causes { writer.value("\(cause)") } }
                writer.name("context")
                writer.array { writer in for line in context { writer.value(line) } }
            }
        }
        return writer.string
    }

    private func json(_ note: Diagnostic) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.name("note")
            writer.object { writer in
                writer.name("level")
                writer.value(note.level.rawValue)
                writer.name("code")
                writer.value(note.code)
                writer.name("message")
                writer.value(note.text)
                writer.name("hint")
                writer.value(FieldValue(note.hint))
            }
        }
        return writer.string
    }
}

extension HubError {
    /// The errors underneath, the nearest first.
    fileprivate var causes: [any Error] {
        var (causes, next) = ([any Error](), cause)
        while let cause = next {
            causes.append(cause)
            next = (cause as? HubError)?.cause
        }
        return causes
    }
}
