import NotesDomain
import TextCRDT

extension Version {
    /// The heads as text for a column, one per line: agent, blank, number.
    var column: String { heads.map { "\($0.agent) \($0.sequence)" }.joined(separator: "\n") }

    /// Reads a column; lines of another form are left out.
    init(column: String) {
        self.init(
            column.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard words.count == 2, let sequence = Int(words[1]) else { return nil }
                return EventID(agent: String(words[0]), sequence: sequence)
            })
    }
}
