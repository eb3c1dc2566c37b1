package import TextCRDT
package import Time

/// Who wrote a line of a text.
package struct LineAuthorship: Hashable, Sendable {
    /// A person with a part in a line.
    package struct Author: Hashable, Sendable {
        /// The name of the account or device; empty when it is not known.
        package let person: String
        /// The number of scalars that are this person's.
        package var count: Int
        /// The time of the latest of them; nil when it is not known.
        package var at: Instant?
    }

    /// The line without its end.
    package let text: String
    /// Its authors, the one with the largest part first. The line end only counts where there is nothing else: who adds a
    /// line often ends the one before.
    package let authors: [Author]

    /// Returns the lines of a text with their authors; a text that ends with a line end has no line after it.
    package static func lines(of text: ReplicatedText, _ journal: EditJournal) -> [LineAuthorship] {
        let scalars = Array(text.text.unicodeScalars)
        var lines: [LineAuthorship] = []
        var line = Line()
        var place = 0
        for part in text.authors() {
            var sequence = part.first.sequence
            var left = part.count
            while left > 0 {
                let batch = journal.batch(of: EventID(agent: part.first.agent, sequence: sequence))
                // Of a batch that is not known each part counts by itself.
                let end = batch.map { min($0.sequences.upperBound - sequence, left) } ?? left
                for index in place..<place + end {
                    line.add(scalars[index], batch)
                    if scalars[index] == "\n" {
                        lines.append(line.finished)
                        line = Line()
                    }
                }
                (place, sequence, left) = (place + end, sequence + end, left - end)
            }
        }
        if !line.isEmpty { lines.append(line.finished) }
        return lines
    }

    private struct Line {
        private var text = String.UnicodeScalarView()
        private var authors: [Author] = []

        var isEmpty: Bool { authors.isEmpty }

        mutating func add(_ scalar: Unicode.Scalar, _ batch: EditBatch?) {
            if scalar == "\n", !authors.isEmpty { return }
            if scalar != "\n" { text.append(scalar) }
            let person = batch?.person ?? ""
            if let index = authors.firstIndex(where: { $0.person == person }) {
                authors[index].count += 1
                if let at = batch?.at { authors[index].at = authors[index].at.map { max($0, at) } ?? at }
            } else {
                authors.append(Author(person: person, count: 1, at: batch?.at))
            }
        }

        var finished: LineAuthorship {
            let sorted = authors.sorted {
                $0.count == $1.count ? $0.person < $1.person : $0.count > $1.count
            }
            return LineAuthorship(text: String(text), authors: sorted)
        }
    }
}
