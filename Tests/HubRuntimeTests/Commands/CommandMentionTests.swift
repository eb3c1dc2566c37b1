import Commands
import Contacts
import Dictofun
import FoundationEssentials
import HubKit
import Market
import Mintee
import Notes
import Testing

@testable import HubRuntime

/// What messages, hints and help texts tell people to type can be typed: every `hub …` in a string of the sources names
/// commands and options of the table, and settings that there are.
struct CommandMentionTests {
    private static let plugins: [any Plugin.Type] = [
        ContactsPlugin.self, DictofunPlugin.self, MarketPlugin.self, MinteePlugin.self, NotesPlugin.self,
    ]
    private static let root = RootCommand.make(plugins, width: 80) { [] }
    private static let schema = ConfigSchema(of: plugins)

    /// Words that follow "hub" or a command in a sentence, and the alias `c` of the help for aliases.
    private static let prose: Set<String> = [
        "and", "at", "by", "c", "cannot", "did", "does", "fetches", "has", "in", "is", "it", "itself", "keeps", "knows",
        "lists", "made", "makes", "manual", "means", "merges", "never", "of", "or", "passes", "prints", "process",
        "processes",
        "reads",
        "reported", "runs", "server", "servers", "serves", "shows", "stores", "syncs", "takes", "tells", "that", "to",
        "understands", "used",
        "uses",
        "was", "while",
        "with", "would", "writes", "wrote",
    ]

    @Test func `the config knows hub's own commands`() {
        let own = RootCommand.make([], width: 80) { [] }.subcommands
        #expect(Set(own.flatMap { [$0.name] + $0.aliases }) == ConfigSchema.hubCommands)
    }

    @Test func `every command and option that a text of hub names exists`() throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        var count = 0
        for part in ["Sources", "Plugins"] {
            let names = try FileManager.default.subpathsOfDirectory(atPath: "\(folder)/\(part)")
            for name in names where name.hasSuffix(".swift") {
                let source = try String(contentsOfFile: "\(folder)/\(part)/\(name)", encoding: .utf8)
                for text in SwiftStrings.all(in: source) {
                    for mention in CommandMentionTests.mentions(in: text) {
                        count += 1
                        let problem = CommandMentionTests.problem(of: mention)
                        #expect(problem == nil, "\(part)/\(name): hub \(mention.joined(separator: " "))")
                    }
                }
            }
        }
        #expect(count > 300)
    }

    @Test func `every command of a screen of help is in the documentation`() throws {
        let folder = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder + "/docs").filter { $0.hasSuffix(".md") }
            .map { "docs/" + $0 }
        let texts = try (["README.md"] + pages).map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        let text = texts.joined()
        for command in Self.root.subcommands where !command.isHidden {
            let isThere = text.contains("hub \(command.name)")
            #expect(isThere, "hub \(command.name)")
        }
        for words in ["hub plugins disable", "`hub-", "HUB_DATA", "hub help --all"] {
            let isThere = text.contains(words)
            #expect(isThere, "\(words)")
        }
    }

    @Test(arguments: [
        ("hub logs tells more", false), ("type: hub contacts lst", true), ("hub serve --listen \u{1}", true),
        ("hub contacts new --tag x, then hub bogus", true), ("hub \u{1} accounts add NAME", false),
        ("hub \u{1} accounts drop NAME", true), ("github contacts lst", false),
        ("hub contacts list --no-reverse", false), ("hub config get hub.region", false),
        ("hub config set market.providers '[]'", true), ("hub config set \u{1} PL", false),
    ])
    func `a command or an option that is not there is found`(text: String, isWrong: Bool) {
        let problems = CommandMentionTests.mentions(in: text).compactMap { CommandMentionTests.problem(of: $0) }
        #expect(problems.isEmpty != isWrong)
    }

    /// The words behind each `hub ` of a text, up to the end of the sentence or the command.
    static func mentions(in text: String) -> [[String]] {
        var found: [[String]] = []
        for line in text.split(separator: "\n") {
            var rest = line[...]
            while let place = rest.firstRange(of: "hub ") {
                let before = place.lowerBound > line.startIndex ? line[line.index(before: place.lowerBound)] : " "
                rest = rest[place.upperBound...]
                guard !before.isLetter, !before.isNumber, !"-_./~".contains(before) else { continue }
                var words: [String] = []
                for word in rest.prefix(while: { !"|<>`".contains($0) }).split(separator: " ") {
                    var plain = word.prefix { !",;:)\"'".contains($0) }
                    while plain.last == "." { plain.removeLast() }
                    if !plain.isEmpty { words.append(String(plain)) }
                    if plain.count < word.count { break }
                }
                found.append(words)
            }
        }
        return found
    }

    /// What is wrong with the words of a command; nil when nothing is.
    static func problem(of words: [String]) -> String? {
        if words.count > 2, words[0] == "config", ["get", "set"].contains(words[1]), words[2].contains(".") {
            return ConfigPath(words[2]).flatMap { schema.setting(at: $0) } == nil ? "no setting \(words[2])" : nil
        }
        var commands = [root]
        for word in words {
            if word.hasPrefix("--") {
                let name = word.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
                if name.isEmpty || commands.contains(where: { hasOption(String(name), $0) }) { continue }
                return "no option --\(name)"
            }
            let below = commands.flatMap(\.subcommands)
            if word == "\u{1}" {
                if !below.isEmpty { commands = below }
                continue
            }
            guard let first = word.first, first.isLowercase, word.allSatisfy({ $0.isLowercase || $0 == "-" }) else {
                continue
            }
            let next = commands.compactMap { $0.subcommand(named: word) }
            if !next.isEmpty {
                commands = next
            } else if commands.contains(where: { $0.nouns.contains(word) }) {
                continue
            } else if commands.contains(where: { !$0.arguments.isEmpty || $0.subcommands.isEmpty }) {
                continue
            } else {
                return prose.contains(word) ? nil : "no command \(word)"
            }
        }
        return nil
    }

    private static func hasOption(_ name: String, _ command: Command) -> Bool {
        let options = command.parameters + GlobalOptions.all.map(\.parameter)
        let plain = name.hasPrefix("no-") ? String(name.dropFirst(3)) : name
        return options.contains { $0.isOption && ($0.name == name || $0.name == plain) }
    }
}

/// The strings of a Swift source file.
enum SwiftStrings {
    /// All string literals, with U+0001 in the place of each value that is put in.
    static func all(in source: String) -> [String] {
        var found: [String] = []
        var rest = Array(source)[...]
        while let letter = rest.first {
            if rest.starts(with: "//") {
                rest = rest.drop { $0 != "\n" }
            } else if letter == "\"" {
                found += literal(&rest)
            } else {
                rest = rest.dropFirst()
            }
        }
        return found
    }

    /// Takes one literal off the front of `rest`; it comes behind those in the values that it holds.
    private static func literal(_ rest: inout ArraySlice<Character>) -> [String] {
        let end = rest.starts(with: "\"\"\"") ? "\"\"\"" : "\""
        rest = rest.dropFirst(end.count)
        var (inner, text) = ([String](), "")
        while let letter = rest.first, !rest.starts(with: end) {
            rest = rest.dropFirst()
            guard letter == "\\", let escaped = rest.popFirst() else {
                text.append(letter)
                continue
            }
            switch escaped {
            case "(":
                text.append("\u{1}")
                var depth = 1
                while depth > 0, let letter = rest.first {
                    if letter == "\"" {
                        inner += literal(&rest)
                        continue
                    }
                    depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                    rest = rest.dropFirst()
                }
            case "n": text.append("\n")
            case "\n": rest = rest.drop { $0 == " " }
            default: text.append(escaped)
            }
        }
        rest = rest.dropFirst(end.count)
        return inner + [text]
    }
}
