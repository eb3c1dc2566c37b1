import Commands
import TOML
import TestSupport

/// Random config files in every way of writing a table, for property tests.
enum RandomConfig {
    private static let names = ["a", "b", "c", "d-1", "x y", "é"]

    static func path(using random: inout SeededGenerator) -> ConfigPath {
        ConfigPath((0..<Int.random(in: 2...4, using: &random)).map { _ in name(using: &random) })
    }

    static func value(using random: inout SeededGenerator) -> ConfigValue {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .boolean(.random(using: &random))
        case 1: .integer(.random(in: -5...5000, using: &random))
        case 2: .list([.text("x,y"), .text("\"]")])
        case 3: .table([.init("command", .text("pass '\"' # x"))])
        default:
            .text(
                ["plain", "with \"quotes\"", "line\nbreak", "# no comment", "Łódź", ""].randomElement(using: &random)
                    ?? "")
        }
    }

    /// Whether the value in a file is the one that was set.
    static func means(_ found: TOMLValue, _ value: ConfigValue) -> Bool {
        switch (found, value) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.string(let left), .text(let right)): left == right
        case (.array(let left), .list(let right)):
            left.count == right.count && zip(left, right).allSatisfy { means($0.value, $1) }
        case (.table(let left), .table(let right)):
            left.entries.count == right.count
                && right.allSatisfy { member in
                    left.entry(member.name).map { means($0.node.value, member.value) } == true
                }
        default: false
        }
    }

    /// A valid file; lines that would not be are left out.
    static func file(using random: inout SeededGenerator) -> String {
        let newline = Bool.random(using: &random) ? "\n" : "\r\n"
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            let line = self.line(using: &random).replacing("\n", with: newline)
            if (try? TOML.parse(text + line)) != nil { text += line + newline }
        }
        if Bool.random(using: &random) { while text.last?.isNewline == true { text.removeLast() } }
        return text
    }

    private static func name(using random: inout SeededGenerator) -> String {
        names.randomElement(using: &random) ?? "a"
    }

    private static func key(_ count: ClosedRange<Int>, using random: inout SeededGenerator) -> String {
        TOML.key((0..<Int.random(in: count, using: &random)).map { _ in name(using: &random) })
    }

    private static func line(using random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<9, using: &random) {
        case 0: "[\(key(1...3, using: &random))]"
        case 1: "  [ \(key(1...2, using: &random)) ] # header"
        case 2: "# \(key(1...1, using: &random)) = 1"
        case 3: ""
        case 4: "\(key(1...2, using: &random)) = \"\"\"\n# a = 1\n[b]\n\"\"\" # tail"
        case 5: "\(key(1...2, using: &random)) = [ 1, # one\n  2,\n]"
        case 6: "\(key(1...2, using: &random)) = { \(key(1...2, using: &random)) = 'ż' }"
        default: "\t\(key(1...3, using: &random))  =\t\"ż # \" # tail"
        }
    }
}
