extension TargetSet: CustomStringConvertible {
    /// The set as people type it: `Mon,Wed: 3 <= x < 5`; without a target when it is done or not.
    package var description: String { target == .done ? pattern.description : "\(pattern): \(target)" }

    /// The set that `text` says: a pattern, and behind a colon a target; without one it is done or not.
    package init(_ text: String) throws(TextProblem) {
        guard text.utf8.count <= 1000 else { throw TextProblem("the text is longer than 1000 bytes", 1..<2) }
        guard let colon = text.firstIndex(of: ":") else {
            self.init(try DayPattern(text))
            return
        }
        let behind = text.distance(from: text.startIndex, to: colon) + 2
        let pattern = try DayPattern(text[..<colon], column: 1)
        self.init(pattern, try Target(text[text.index(after: colon)...], column: behind))
    }
}
