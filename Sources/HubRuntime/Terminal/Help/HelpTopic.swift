/// Pages of help that are about no single command; `hub help TOPIC` and the manual show them.
enum HelpTopic: String, CaseIterable {
    case environment
    case exitCodes = "exit-codes"
    case formatting
    case files
    case config

    /// A part of a page.
    enum Block {
        case paragraph(String)
        /// Terms with what they mean.
        case definitions([(term: String, meaning: String)])
    }

    /// What the page is about, for the list of topics.
    var summary: String {
        switch self {
        case .environment: "variables that hub reads"
        case .exitCodes: "what the exit code of a command says"
        case .formatting: "tables, JSON, plain text and templates"
        case .files: "where hub keeps what it keeps"
        case .config: "the configuration file and its order of precedence"
        }
    }

    /// The title of its section in the manual (man-pages(7)).
    var section: String {
        switch self {
        case .exitCodes: "Exit status"
        case .formatting: "Output formats"
        case .config: "Configuration"
        case .environment, .files: rawValue
        }
    }

    /// The page as lines, wrapped to `width`.
    func lines(width: Int) -> [String] {
        let parts = blocks.map { block in
            switch block {
            case .paragraph(let text): TextLayout.wrap(text, to: width)
            case .definitions(let items):
                TextLayout.definitions(items.map { ($0.term, $0.meaning) }, width: width)
            }
        }
        return Array(parts.joined(separator: [""]))
    }
}
