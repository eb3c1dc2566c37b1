import HubKit

/// The screen of one command: the form it wants its result in, and where each part of it goes.
struct Screen: Sendable {
    let form: OutputForm
    let progressLine: ProgressLine?
    let console: any Console

    private let world: CommandRunner.World
    private let values: ParameterValues
    private let glyphs: Glyphs

    init(world: CommandRunner.World, values: ParameterValues) {
        self.world = world
        self.values = values
        form = OutputForm(values)
        glyphs = Glyphs(isUTF8: world.profile.isUTF8)
        let isQuiet = values[GlobalOptions.quiet]
        let showsProgress = values[GlobalOptions.progress] && !isQuiet && world.profile.errorIsTerminal
        progressLine =
            showsProgress
            ? ProgressLine(sink: world.messages, width: world.profile.width, glyphs: glyphs, clock: world.clock) : nil
        console =
            world.console
            ?? TerminalConsole(
                isInteractive: world.profile.inputIsTerminal && values[GlobalOptions.input],
                isShown: world.profile.outputIsTerminal, messages: world.messages, progressLine: progressLine,
                editor: Editor(environment: world.environment), glyphs: glyphs,
                palette: world.profile.outputPalette(values[GlobalOptions.color]))
    }

    /// Columns that help is wrapped to.
    var textWidth: Int { world.profile.outputIsTerminal ? world.profile.width : 80 }

    /// Writes the result, then the notes.
    func write(_ output: Output) async throws {
        var notes = output.notes
        let isHidden = values[GlobalOptions.quiet] && output.isReport && output.exit == .done && form == .human
        if !isHidden {
            if let path = output.file ?? values[GlobalOptions.output], path != "-", !output.wroteFile {
                notes.append(try await writeFile(output, path))
            } else {
                try await writeOutput(output)
            }
        }
        try writeNotes(notes)
    }

    /// Writes the result to a file and says so; with `--dry-run` only how large it would be.
    private func writeFile(_ output: Output, _ path: String) async throws -> Diagnostic {
        let writer = OutputWriter(style(isTerminal: false))
        if values[GlobalOptions.dryRun] {
            let measure = CountingSink()
            try await writer.write(output, to: measure)
            return Diagnostic("Would write \(measure.size) to \(path)", code: "would-write")
        }
        let target = OutputTarget(world.processEnvironment, values)
        try target.requireForeign(path)
        let file = try AtomicFile(path: path, target: target)
        let measure = CountingSink(file)
        do {
            try await writer.write(output, to: measure)
        } catch {
            file.discard()
            throw error
        }
        try file.commit()
        return Diagnostic("\(path): \(measure.size) written", code: "written")
    }

    private func writeOutput(_ output: Output) async throws {
        let writer = OutputWriter(style(isTerminal: world.profile.outputIsTerminal))
        guard let pager = pager(for: output) else {
            return try await writer.write(output, to: ClearingSink(sink: world.output, progressLine: progressLine))
        }
        let page = MemorySink()
        try await writer.write(output, to: page)
        let bytes = Array(page.text.utf8)
        let lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
        if lineCount >= world.profile.height, await pager.show(bytes) { return }
        try world.output.write(bytes)
    }

    /// Returns the pager for a complete result on a terminal.
    private func pager(for output: Output) -> Pager? {
        guard world.profile.outputIsTerminal, values[GlobalOptions.pager], form == .human, !output.isReport else {
            return nil
        }
        switch output.body {
        case .none, .stream, .bytes: return nil
        case .record, .rows, .text: return Pager(environment: world.environment)
        }
    }

    private func writeNotes(_ notes: [Diagnostic]) throws(SinkError) {
        let renderer = MessageRenderer(
            isJSON: form.isJSON, palette: world.profile.errorPalette(values[GlobalOptions.color]), glyphs: glyphs)
        let shown = notes.filter { note in
            switch note.level {
            case .aside: form == .human && !values[GlobalOptions.quiet]
            case .message: !values[GlobalOptions.quiet]
            case .warning: true
            }
        }
        let text = shown.flatMap(renderer.lines).map { $0 + "\n" }.joined()
        if !text.isEmpty { try world.messages.write(Array(text.utf8)) }
    }

    private func style(isTerminal: Bool) -> OutputWriter.Style {
        let color = values[GlobalOptions.color]
        let isFile = !isTerminal && values[GlobalOptions.output].map { $0 != "-" } == true
        return OutputWriter.Style(
            form: form, rowEnd: values[GlobalOptions.null] ? 0 : UInt8(ascii: "\n"),
            width: isTerminal ? world.profile.width : nil,
            palette: isFile ? Palette(isColored: false) : world.profile.outputPalette(color), glyphs: glyphs,
            formatter: CellFormatter(now: isTerminal ? world.clock.now : nil, zone: world.zone))
    }
}
