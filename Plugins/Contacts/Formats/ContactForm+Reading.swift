extension ContactForm {
    /// The result of parsing an edited form.
    package struct Reading: Sendable {
        /// The details with the values of every valid line.
        package var details: ContactDetails
        /// The invalid lines; if there are any, ask before saving.
        package var problems: [InputProblem]
    }

    /// The maximum size of a form in bytes.
    package static let maximumLength = 4 << 20

    /// Parses an edited form of `details`.
    ///
    /// A field without lines is cleared, except that an invalid line keeps the old values of its field. Values that the
    /// form does not show are not changed.
    package static func read(_ text: String, editing details: ContactDetails) -> Reading {
        var reader = Reader()
        reader.read(text.utf8.count > maximumLength ? String(text.prefix(maximumLength)) : text)
        var result = Reading(details: details, problems: reader.problems)
        for refusal in apply(reader.lines.map(\.entry), to: &result.details) {
            let line = refusal.index.map { reader.lines[$0] }
            result.problems.append(line?.problem(refusal) ?? missing(refusal, reader.lineCount))
        }
        result.problems.sort { $0.line < $1.line }
        return result
    }

    /// Parses an edited form of `details` without its invalid lines; their fields keep the values of `details`. Errors
    /// without a line remain in `problems`, such as a missing name.
    package static func readWithoutFaults(_ text: String, editing details: ContactDetails) -> Reading {
        var reader = Reader()
        reader.read(text.utf8.count > maximumLength ? String(text.prefix(maximumLength)) : text)
        var entries = reader.lines.map(\.entry)
        var attempt = details
        let refusals = apply(entries, to: &attempt)
        let bad = Set(refusals.compactMap(\.index))
        let isUnreadable = !reader.problems.isEmpty
        entries = entries.indices.filter { !bad.contains($0) }.map { entries[$0] }
        for field in ContactField.allCases {
            let before = field.formValues(details).map { Entry(field, label: $0.label, $0.value) }
            let faulty = refusals.filter { $0.field == field }.compactMap(\.index).map { reader.lines[$0].entry }
            // An invalid line may have been of this field.
            let isLost = isUnreadable && !reader.lines.contains { $0.entry.field == field }
            if isLost || (!field.isList && !faulty.isEmpty) {
                entries.removeAll { $0.field == field }
                entries += before
                continue
            }
            for line in faulty {
                let missing = before.filter { !entries.contains($0) }
                if let old = missing.first(where: { $0.label == line.label }) ?? missing.first { entries.append(old) }
            }
        }
        var result = Reading(details: details, problems: [])
        result.problems = apply(entries, to: &result.details).map { missing($0, reader.lineCount) }
        return result
    }

    /// The error of a missing line.
    private static func missing(_ refusal: Refusal, _ line: Int) -> InputProblem {
        InputProblem(refusal.code, line: line, refusal.message, hint: refusal.hint)
    }
}

extension ContactForm {
    /// A value of the form with its position.
    private struct Line {
        var entry: Entry
        var line: Int
        var excerpt: String
        var columns: ClosedRange<Int>

        func problem(_ refusal: Refusal) -> InputProblem {
            InputProblem(
                refusal.code, line: line, columns: entry.value.isEmpty ? 1...max(1, excerpt.count) : columns,
                excerpt: excerpt, refusal.message, hint: refusal.hint)
        }
    }

    private struct Reader {
        var lines: [Line] = []
        var problems: [InputProblem] = []
        var lineCount = 0

        mutating func read(_ text: String) {
            var blanks = 0
            for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
                lineCount += 1
                if line.hasPrefix("#") { continue }
                if line.allSatisfy(\.isWhitespace) {
                    blanks += 1
                } else if line.first == " " || line.first == "\t", lines.last?.entry.field == .note {
                    append(line, after: blanks)
                    blanks = 0
                } else {
                    read(line: line.drop { $0 == " " || $0 == "\t" }, of: String(line))
                    blanks = 0
                }
            }
        }

        /// A further line of the note, without the indentation of the form.
        private mutating func append(_ line: Substring, after blanks: Int) {
            var text = line
            var column = 0
            while column < ContactForm.indent, text.first == " " {
                text = text.dropFirst()
                column += 1
            }
            if column == 0, text.first == "\t" { text = text.dropFirst() }
            let start = lines[lines.count - 1].entry.value.isEmpty ? "" : "\n"
            lines[lines.count - 1].entry.value += start + String(repeating: "\n", count: blanks) + text
        }

        private mutating func read(line: Substring, of excerpt: String) {
            guard let colon = line.firstIndex(of: ":") else {
                problems.append(
                    InputProblem(
                        "form-line", line: lineCount, columns: 1...excerpt.count, excerpt: excerpt,
                        "not a line of the form FIELD: VALUE",
                        hint: "write for example phone:  mobile  +48 601 234 567"))
                return
            }
            let name = line[..<colon].trimmed
            guard let field = ContactField(named: name) else {
                let near = ContactField.suggestion(for: name).map { "did you mean \($0.rawValue)?" }
                let all = "the fields are \(ContactField.allCases.map(\.rawValue).joined(separator: ", "))"
                problems.append(
                    InputProblem(
                        "form-field", line: lineCount, columns: 1...max(1, name.count), excerpt: excerpt,
                        "unknown field \"\(name)\"", hint: near ?? all))
                return
            }
            let (label, value) = field.split(line[line.index(after: colon)...].trimmed)
            let end = excerpt.count - excerpt.reversed().prefix { $0.isWhitespace }.count
            let start = max(1, end - value.count + 1)
            lines.append(
                Line(
                    entry: Entry(field, label: label, value), line: lineCount, excerpt: excerpt,
                    columns: start...max(start, end)))
        }
    }
}
