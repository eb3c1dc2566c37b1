import HubKit
import MinteeDomain

/// `hub mintee theme`: shows or sets the theme of the page.
enum ThemeCommand {
    private static let name = Arguments<String>(
        "NAME", .zeroOrMore, help: "System Default, Jungle or Ocean", completion: .words(Theme.allCases.map(\.rawValue))
    )

    static let command = Command(
        "theme", summary: "show or set the theme of the page",
        examples: [
            Example("hub mintee theme", "the current theme"), Example("hub mintee theme Ocean", "another theme"),
        ],
        prominence: .full, parameters: [name], changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let word = input[name].joined(separator: " ")
        if word.isEmpty { return .text([try await mintee.theme().rawValue]) }
        if input.dryRun { return .done("Would set the theme to \(word)") }
        let theme = try await mintee.setTheme(word, operation: Operation(input))
        return .done("Theme set to \(theme.rawValue). Undo: hub undo")
    }
}
