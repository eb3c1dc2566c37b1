extension Input {
    /// Whether a person reads the result as a table on a terminal.
    package var showsTable: Bool {
        let forms = [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format]
        return interaction.isShown && !self[GlobalOptions.null] && forms.allSatisfy { self[$0] == nil }
            && (self[GlobalOptions.output] ?? "-") == "-"
    }

    /// How many rows of a list are shown at most: what `--limit` says; without it `usual` in a table on a terminal, and
    /// everything in a pipe, a file or a form for programs.
    package func rowLimit(_ usual: Int? = nil) -> Int {
        self[SharedOptions.limit] ?? (showsTable ? usual : nil) ?? .max
    }
}
