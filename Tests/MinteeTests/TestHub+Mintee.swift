import HubKitTesting
import HubRuntimeTesting

extension TestHub {
    /// Returns the output of `line`, with every id as `xxx`.
    func shown(_ line: String, width: Int = 100, answers: [String]? = nil) async -> String {
        let run = await run(line, width: width, console: ScriptedConsole(answers: answers))
        return run.all.replacing(/\b(?!(?:1st|2nd|3rd|4th)\b)[0-9][a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]+\b/) { _ in "xxx" }
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in
                // Ids are as long as they must be; the column after them is set alike.
                line.replacing(/^(ID|xxx)  +/) { $0.1 == "ID" ? "ID   " : "xxx  " }
            }.joined(separator: "\n")
    }
}
