import Text

/// An entry that is being read.
struct LDIFEntry: Sendable {
    private let first: TextLines.Line
    private var last: Int
    private let name: String
    private var person = LDIFPerson()
    private var doubts: [InputProblem] = []
    private var failure: (code: String, message: String)?

    /// Starts the entry `name` at `line`.
    init(_ line: LDIFLine, name: String) {
        first = line.first
        last = line.last
        self.name = name
        if name.isEmpty { fail("entry-without-name", "this entry has no name after dn:") }
    }

    /// Rejects the entry; only the first reason is reported.
    mutating func fail(_ code: String, _ message: String) { failure = failure ?? (code, message) }

    /// Adds the next line of the entry; `attribute` is nil if it is not valid.
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

    /// The entry as a card, or the reason why it is not one.
    func item() -> FoundCard {
        var draft = person.draft(uid: ByteString(LDIFEntry.uid(of: name)))
        draft.doubts = doubts + draft.doubts
        if let failure { return .problem(problem(failure.code, failure.message)) }
        if draft.isNobody {
            return .problem(problem("entry-unusable", "this entry has neither a name nor an address"))
        }
        return draft.item(lines: first.number...last)
    }

    /// The UID for the entry `name`, ignoring case and spacing.
    static func uid(of name: String) -> String {
        ContactUID.stable(of: name.lowercased().split(separator: ",").map(\.trimmed).joined(separator: ","))
    }

    private func problem(_ code: String, _ message: String) -> InputProblem {
        InputProblem(
            code, line: first.number, excerpt: first.excerpt, subject: name.isEmpty ? nil : String(name.prefix(80)),
            message, note: "starts here")
    }
}
