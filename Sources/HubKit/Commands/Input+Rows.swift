extension Input {
    /// Whether the result is shown as a table on a terminal.
    package var showsTable: Bool {
        let forms = [GlobalOptions.json, GlobalOptions.plain, GlobalOptions.format]
        return console.isShown && !self[GlobalOptions.null] && forms.allSatisfy { self[$0] == nil }
            && (self[GlobalOptions.output] ?? "-") == "-"
    }

    /// Returns the maximum number of rows to show: the value of `--limit`; else `usual` in a table on a terminal, and
    /// all rows in a pipe, a file or a form for programs.
    package func rowLimit(_ usual: Int? = nil) -> Int {
        self[SharedOptions.limit] ?? (showsTable ? usual : nil) ?? .max
    }
}
