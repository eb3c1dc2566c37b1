/// Help pages that do not belong to a single command, shown by `hub help TOPIC` and the manual.
enum HelpTopic: String, CaseIterable {
    case environment
    case exitCodes = "exit-codes"
    case formatting
    case files
    case config

    /// A part of a page.
    enum Block {
        case paragraph(String)
        /// Terms with their meanings.
        case definitions([(term: String, meaning: String)])
    }

    /// A summary of the page, for the list of topics.
    var summary: String {
        switch self {
        case .environment: "environment variables that hub reads"
        case .exitCodes: "meaning of the exit codes"
        case .formatting: "tables, JSON, plain text and templates"
        case .files: "where hub stores its files"
        case .config: "config file and order of precedence"
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
