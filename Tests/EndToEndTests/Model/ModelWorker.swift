import TestSupport
import Testing

/// One of the people at work: it changes contacts of its own, and undoes and redoes what anybody did last.
struct ModelWorker {
    /// The meaning of each command line that changes something.
    private(set) var deeds: [String: ModelDeed] = [:]

    private let number: Int
    private let sandbox: Sandbox
    private var generator: SeededGenerator
    private var names: [String] = []
    /// The names that came by a card, which another card of theirs changes.
    private var cardNames: [String] = []
    private var tags: [String] = []
    private var serial = 0

    init(number: Int, _ sandbox: Sandbox, _ generator: SeededGenerator) {
        self.number = number
        self.sandbox = sandbox
        self.generator = generator
    }

    /// Does one action. It may be refused, because the other worker may have undone its basis.
    mutating func step() async throws {
        serial += 1
        let arguments = try nextArguments()
        let finished = try await sandbox.run(arguments)
        try #require([0, 1].contains(finished.code), "\(arguments): \(finished.code)\n\(finished.all)")
    }

    private mutating func nextArguments() throws -> [String] {
        let name = names.randomElement(using: &generator)
        switch (Int.random(in: 0..<20, using: &generator), name) {
        case (0..<3, _), (_, nil):
            let made = newNames(in: 1...40)
            cardNames += made
            return try importing(made)
        case (3, _?): return try importing(someCardNames())
        case (4..<6, _?):
            let name = newNames(in: 1...1)[0]
            return does(["contacts", "new", name, "note=n\(serial)"], .new(name, note: "n\(serial)"))
        case (6..<9, let name?):
            return does(["contacts", "set", name, "note=w\(number)n\(serial)"], .note(name, "w\(number)n\(serial)"))
        case (9..<12, let name?):
            tags.append("tag\(number)-\(serial)")
            return does(["contacts", "tag", name, tags[tags.count - 1]], .tag(name, tags[tags.count - 1]))
        case (12, let name?):
            let tag = tags.randomElement(using: &generator) ?? "none"
            return does(["contacts", "untag", name, tag], .untag(name, tag))
        case (13..<15, let name?): return does(["contacts", "rm", name, "--yes"], .remove(name))
        case (15, let name?): return does(["contacts", "restore", name], .restore(name))
        case (16..<18, _): return ["undo"]
        default: return ["redo"]
        }
    }

    private mutating func does(_ arguments: [String], _ deed: ModelDeed) -> [String] {
        deeds[arguments.joined(separator: " ")] = deed
        return arguments
    }

    /// Names of one word, none of which is the beginning of another.
    private mutating func newNames(in range: ClosedRange<Int>) -> [String] {
        let made = (0..<Int.random(in: range, using: &generator)).map { index in
            "worker\(number)x\(10000 + names.count + index)"
        }
        names += made
        return made
    }

    /// Returns one or more of the contacts that were imported from cards.
    private mutating func someCardNames() -> [String] {
        if cardNames.isEmpty { cardNames = newNames(in: 1...3) }
        let count = Int.random(in: 1...min(cardNames.count, 30), using: &generator)
        return Array(cardNames.shuffled(using: &generator).prefix(count))
    }

    private mutating func importing(_ names: [String]) throws -> [String] {
        var cards: [String: String] = [:]
        for name in names { cards[name] = ModelCard.text(name, serial, &generator) }
        let file = "w\(number)-\(serial).vcf"
        try sandbox.write(cards.sorted { $0.key < $1.key }.map(\.value).joined(), to: file)
        return does(["contacts", "import", file], .imported(cards))
    }
}

/// Cards with lines as odd as exporters write them, which must be kept unchanged.
enum ModelCard {
    /// A card of `name`, unlike all earlier ones of it by `serial`.
    static func text(_ name: String, _ serial: Int, _ generator: inout SeededGenerator) -> String {
        let end = Bool.random(using: &generator) ? "\r\n" : "\n"
        let odd = [
            "item1.TEL;type=pref:+49 171 \(serial)", "item1.X-ABLabel:_$!<Other>!$_",
            "EMAIL;TYPE=\"x,y\":\(name)@example.org",
            "X-LONG:" + String(repeating: "l", count: 70) + end + " " + String(repeating: "m", count: 70),
            "tel;cell:0171 1", "X-EMPTY:", "ADR;TYPE=HOME:;;Street 1\\, back;Town;;1;", "BDAY:1985-02-31",
            "X-TRAILING:blanks  ", "URL:https://example.org/?a=b;c", "ORG:A\\;B;C", "X-ACCENTS:Łódź é 日本",
        ]
        let lines = odd.filter { _ in Bool.random(using: &generator) }
        let head = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(name)", "FN:\(name)", "N:\(name);;;;", "X-SERIAL:\(serial)"]
        return (head + lines + ["END:VCARD", ""]).joined(separator: end)
    }
}
