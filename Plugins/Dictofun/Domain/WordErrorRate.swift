/// How much of a spoken text an engine heard, as speech recognition is measured everywhere: the fewest words to replace, insert
/// and delete, divided by the words spoken.
package struct WordErrorRate: Hashable, Sendable {
    /// The most words of each text; what is longer is cut.
    package static let maximumWordCount = 2000

    /// The number of words spoken.
    package let wordCount: Int
    /// The number of words to replace, insert and delete.
    package let errorCount: Int

    /// Compares what was heard with what was spoken, without regard to case and punctuation.
    package init(heard: String, spoken: String) {
        let heard = Array(WordErrorRate.words(of: heard).prefix(WordErrorRate.maximumWordCount))
        let spoken = Array(WordErrorRate.words(of: spoken).prefix(WordErrorRate.maximumWordCount))
        wordCount = spoken.count
        // The last row of the table of distances between beginnings of both.
        var row = Array(0...heard.count)
        for (index, word) in spoken.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in heard.enumerated() {
                let replaced = diagonal + (word == other ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, diagonal + 1, row[place] + 1)
            }
        }
        errorCount = row[heard.count]
    }

    /// The errors per word spoken; it may exceed 1. Of nothing spoken, 0.
    package var rate: Double { wordCount == 0 ? 0 : Double(errorCount) / Double(wordCount) }

    /// The words of a text as they are compared: lower case, letters, digits and apostrophes only.
    package static func words(of text: String) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
            .map { String($0.replacing("’", with: "'")) }
    }
}

/// The measurement of an engine on a spoken sample.
package struct EngineMeasurement: Hashable, Sendable {
    /// The errors of the engine.
    package let errors: WordErrorRate
    /// The length of the sample.
    package let duration: Duration
    /// The time that the engine took.
    package let elapsed: Duration

    package init(errors: WordErrorRate, duration: Duration, elapsed: Duration) {
        self.errors = errors
        self.duration = duration
        self.elapsed = elapsed
    }

    /// The seconds of sound for each second of work: 2 is twice as fast as listening.
    package var speed: Double { elapsed > .zero ? duration / elapsed : 0 }

    /// The share of words that are right, 0...1.
    package var accuracy: Double { max(0, 1 - errors.rate) }
}
