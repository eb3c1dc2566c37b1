import Commands

extension Output {
    /// The report of an edit as it came out: with how to undo it, or, when no operation was recorded, that nothing changed.
    func completed(isRecorded: Bool) -> Output {
        guard let editLine else { return self }
        var output = self
        let complete: ([String]) -> [String] = { lines in
            guard isRecorded else { return ["Nothing changed"] }
            var lines = lines
            let index = editLine == .first ? lines.startIndex : lines.endIndex - 1
            guard lines.indices.contains(index) else { return lines }
            lines[index] += (lines[index].hasSuffix(".") ? " " : ". ") + "Undo: hub undo"
            return lines
        }
        if case .text(let lines) = body { output.body = .text(complete(lines)) }
        output.human = human.map(complete)
        return output
    }
}
