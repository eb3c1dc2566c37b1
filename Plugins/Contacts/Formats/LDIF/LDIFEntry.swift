/// One entry while its lines are read.
struct LDIFEntry: Sendable {
    private let first: TextLines.Line
    private var last: Int
    private let name: String
    private var person = LDIFPerson()
    private var doubts: [InputProblem] = []
    private var failure: (code: String, message: String)?

    /// The entry that begins with `line`, called `name`.
    init(_ line: LDIFLine, name: String) {
        first = line.first
        last = line.last
        self.name = name
        if name.isEmpty { fail("entry-without-name", "this entry has no name after dn:") }
    }

    /// Gives the entry up; it is told once.
    mutating func fail(_ code: String, _ message: String) { failure = failure ?? (code, message) }

    /// Takes the next line of the entry; `attribute` is nil when it is none.
    mutating func take(_ line: LDIFLine, _ attribute: LDIFLine.Attribute?) {
        last = line.last
        guard let attribute else {
            var doubt = InputProblem.doubt("line \(line.first.number) is not an attribute; skipped")
            doubt.line = line.first.number
            doubt.excerpt = line.first.excerpt
            doubts.append(doubt)
            return
        }
        if attribute.name == "changetype", attribute.text.lowercased() != "add" {
            fail("entry-is-change", "this is a change record, not an entry")
        }
        person.set(attribute)
    }

    /// The entry as a card, or why it is none.
    func item() -> FoundCard {
        var draft = person.draft(uid: LDIFEntry.uid(of: name))
        draft.doubts = doubts + draft.doubts
        if let failure { return .problem(problem(failure.code, failure.message)) }
        if draft.isNobody {
            return .problem(problem("entry-unusable", "this entry has neither a name nor an address"))
        }
        return draft.item(lines: first.number...last)
    }

    /// The id of the entry called `name`, in whatever case and spacing.
    static func uid(of name: String) -> String {
        StableUID.make(of: name.lowercased().split(separator: ",").map(\.trimmed).joined(separator: ","))
    }

    private func problem(_ code: String, _ message: String) -> InputProblem {
        InputProblem(
            code, line: first.number, excerpt: first.excerpt, subject: name.isEmpty ? nil : String(name.prefix(80)),
            message, note: "starts here")
    }
}
