import NotesDomain
import TextCRDT

extension Version {
    /// The heads as text for a column, one per line: agent, blank, number.
    var column: String { heads.map { $0.agent + " " + String($0.sequence) }.joined(separator: "\n") }

    /// Reads a column; lines of another form are left out.
    init(column: String) {
        self.init(
            Array(column.utf8).split(separator: 10).compactMap { line in
                guard let blank = line.firstIndex(of: 32), blank > line.startIndex,
                    let sequence = Int(String(decoding: line[(blank + 1)...], as: UTF8.self))
                else { return nil }
                return EventID(agent: String(decoding: line[..<blank], as: UTF8.self), sequence: sequence)
            })
    }
}
