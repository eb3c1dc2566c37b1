import Commands

/// The screen of one command: the form it wants its result in, and where each part of it goes.
struct Screen: Sendable {
    let form: OutputForm
    let progressLine: ProgressLine?
    let console: any Console

    private let environment: CommandRunner.Environment
    private let values: ParameterValues
    private let glyphs: Glyphs

    init(environment: CommandRunner.Environment, values: ParameterValues) {
        self.environment = environment
        self.values = values
        form = OutputForm(values)
        glyphs = Glyphs(isUTF8: environment.profile.isUTF8)
        let isQuiet = values[GlobalOptions.quiet]
        let showsProgress = values[GlobalOptions.progress] && !isQuiet && environment.profile.errorIsTerminal
        progressLine =
            showsProgress
            ? ProgressLine(
                sink: environment.messages, width: environment.profile.width, glyphs: glyphs, clock: environment.clock)
            : nil
        console =
            environment.console
            ?? TerminalConsole(
                isInteractive: environment.profile.inputIsTerminal && values[GlobalOptions.input],
                isShown: environment.profile.outputIsTerminal, messages: environment.messages,
                progressLine: progressLine,
                editor: Editor(environment: environment.variables), glyphs: glyphs,
                palette: environment.profile.outputPalette(values[GlobalOptions.color]))
    }

    /// Columns that help is wrapped to.
    var textWidth: Int { environment.profile.outputIsTerminal ? environment.profile.width : 80 }

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
        let target = OutputTarget(environment.processEnvironment, values)
        try target.requireForeign(path)
        let file = try AtomicFile(path: path, newFileMode: output.isSecret ? 0o600 : 0o666, followsLinks: true) {
            kind throws(HubError) in try target.requireReplaceable(path, by: kind)
        }
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
        let writer = OutputWriter(style(isTerminal: environment.profile.outputIsTerminal))
        guard let pager = pager(for: output) else {
            return try await writer.write(
                output, to: ClearingSink(sink: environment.output, progressLine: progressLine))
        }
        let page = MemorySink()
        try await writer.write(output, to: page)
        let bytes = Array(page.text.utf8)
        let lineCount = bytes.count { $0 == UInt8(ascii: "\n") }
        if lineCount >= environment.profile.height, await pager.show(bytes) { return }
        try environment.output.write(bytes)
    }

    /// Returns the pager for a complete result on a terminal.
    private func pager(for output: Output) -> Pager? {
        guard environment.profile.outputIsTerminal, values[GlobalOptions.pager], form == .human, !output.isReport else {
            return nil
        }
        switch output.body {
        case .none, .stream, .bytes: return nil
        case .record, .rows, .text: return Pager(environment: environment.variables)
        }
    }

    private func writeNotes(_ notes: [Diagnostic]) throws(SinkError) {
        let renderer = MessageRenderer(
            isJSON: form.isJSON, palette: environment.profile.errorPalette(values[GlobalOptions.color]), glyphs: glyphs)
        let shown = notes.filter { note in
            switch note.level {
            case .aside: form == .human && !values[GlobalOptions.quiet]
            case .message: !values[GlobalOptions.quiet]
            case .warning: true
            }
        }
        let text = shown.flatMap(renderer.lines).map { $0 + "\n" }.joined()
        if !text.isEmpty { try environment.messages.write(Array(text.utf8)) }
    }

    private func style(isTerminal: Bool) -> OutputWriter.Style {
        let color = values[GlobalOptions.color]
        let isFile = !isTerminal && values[GlobalOptions.output].map { $0 != "-" } == true
        return OutputWriter.Style(
            form: form, rowEnd: values[GlobalOptions.null] ? 0 : UInt8(ascii: "\n"),
            width: isTerminal ? environment.profile.width : nil,
            palette: isFile ? Palette(isColored: false) : environment.profile.outputPalette(color), glyphs: glyphs,
            formatter: CellFormatter(now: isTerminal ? environment.clock.now : nil, zone: environment.zone))
    }
}
