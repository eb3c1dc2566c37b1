/// Places the lines of an edited text in the sound, by what they have in common with the phrases that an engine heard.
///
/// A line that equals a phrase keeps its times, words and speaker. Between such lines, words are compared: those in common keep their
/// places, and the others lie between them.
struct TranscriptAlignment {
    typealias Segment = MachineTranscript.Segment

    /// A word that was heard, in the form in which words are compared.
    private struct HeardWord {
        let text: String
        let time: Range<Int>
        let confidence: Double?
        let segment: Int
        /// Whether the engine gave the place; else it is a share of that of the phrase.
        let isTimed: Bool
    }

    /// A word of a line as it is written.
    private struct Token {
        let text: Substring
        /// The place of its words in ``words``.
        let words: Range<Int>
    }

    /// The comparisons up to which the longest common sequence of words is looked for.
    private static let maximumComparisons = 1 << 18
    /// How far ahead of the last match a word is looked for in larger texts.
    private static let searchedWordCount = 40

    /// Returns the lines of `text` that are not blank, with their places.
    static func segments(of text: String, heard: [Segment]) -> [Segment] {
        let lines = text.split(separator: "\n").filter { $0.contains { !$0.isWhitespace } }.map(String.init)
        var result: [Segment] = []
        var (line, segment) = (0, 0)
        for anchor in anchors(lines, heard) + [(lines.count, heard.count)] {
            result += place(Array(lines[line..<anchor.0]), on: Array(heard[segment..<anchor.1]))
            if anchor.0 < lines.count {
                let same = heard[anchor.1]
                result.append(Segment(lines[anchor.0], same.time, words: same.words, speaker: same.speaker))
            }
            (line, segment) = (anchor.0 + 1, anchor.1 + 1)
        }
        return fillGaps(result, end: heard.compactMap { end(of: $0) }.max() ?? 0)
    }

    private static func end(of segment: Segment) -> Int? {
        segment.time?.upperBound ?? segment.words.last?.time.upperBound
    }

    /// The pairs of equal lines and phrases, increasing in both: those at the beginning and at the end, and those that occur once.
    private static func anchors(_ lines: [String], _ heard: [Segment]) -> [(Int, Int)] {
        let (lines, texts) = (lines.map(spaced), heard.map { spaced($0.text) })
        var start = 0
        while start < min(lines.count, texts.count), lines[start] == texts[start] { start += 1 }
        var count = 0
        while count < min(lines.count, texts.count) - start,
            lines[lines.count - 1 - count] == texts[texts.count - 1 - count]
        {
            count += 1
        }
        let unique = onlyPlaces(texts[start..<texts.count - count])
        let inLines = onlyPlaces(lines[start..<lines.count - count])
        let middle = (start..<lines.count - count).compactMap { line -> (Int, Int)? in
            guard inLines[lines[line]] != nil, let segment = unique[lines[line]] else { return nil }
            return (line, segment)
        }
        return (0..<start).map { ($0, $0) } + increasing(middle)
            + (0..<count).reversed().map { (lines.count - 1 - $0, texts.count - 1 - $0) }
    }

    private static func spaced(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

    /// The places of the texts that occur once.
    private static func onlyPlaces(_ texts: ArraySlice<String>) -> [String: Int] {
        var counts: [String: Int] = [:]
        for text in texts { counts[text, default: 0] += 1 }
        return Dictionary(
            texts.indices.lazy.filter { counts[texts[$0]] == 1 }.map { (texts[$0], $0) }, uniquingKeysWith: { $1 })
    }

    /// The longest part of `pairs` in which the second numbers increase, as the first do.
    private static func increasing(_ pairs: [(Int, Int)]) -> [(Int, Int)] {
        var ends: [Int] = []
        var before = [Int?](repeating: nil, count: pairs.count)
        for index in pairs.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if pairs[ends[middle]].1 < pairs[index].1 { low = middle + 1 } else { high = middle }
            }
            before[index] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [(Int, Int)] = []
        var next = ends.last
        while let index = next {
            result.append(pairs[index])
            next = before[index]
        }
        return result.reversed()
    }

    /// Places lines that equal none of the phrases. One that has nothing in common with them gets no place.
    private static func place(_ lines: [String], on heard: [Segment]) -> [Segment] {
        if lines.isEmpty || heard.isEmpty { return lines.map { Segment($0, nil) } }
        let heardWords = words(of: heard)
        var sought: [String] = []
        let tokens = lines.map { line in
            line.split { $0.isWhitespace }.map { text in
                let first = sought.count
                sought += WordErrorRate.words(of: String(text))
                return Token(text: text, words: first..<sought.count)
            }
        }
        let matches = matches(sought, heardWords.map(\.text))
        let found = tokens.map { $0.flatMap(\.words).compactMap { matches[$0].map { heardWords[$0] } } }
        // The lines in which words of each phrase are.
        var users = [Set<Int>](repeating: [], count: heard.count)
        for (line, words) in found.enumerated() { for word in words { users[word.segment].insert(line) } }
        return lines.indices.map { index in
            let (line, tokens, found) = (lines[index], tokens[index], found[index])
            // As many lines as phrases: most likely each is its phrase with other words.
            let isOwn =
                lines.count == heard.count && found.allSatisfy { $0.segment == index }
                && users[index].isSubset(of: [index])
            let own = isOwn ? heard[index] : nil
            let bounds = found.first.map { first in
                Range(
                    from: first.time.lowerBound, to: max(found.last?.time.upperBound ?? 0, first.time.upperBound))
            }
            var placed = Segment(
                line, own?.time ?? bounds, speaker: own?.speaker ?? found.first.flatMap { heard[$0.segment].speaker })
            if let time = placed.time, found.contains(where: \.isTimed) {
                placed.words = timed(tokens, in: time) { matches[$0].map { heardWords[$0] } }
            }
            return placed
        }
    }

    /// Gives each word of a line its place: that of what was heard, else a share of the time between its neighbours.
    private static func timed(
        _ tokens: [Token], in line: Range<Int>, _ match: (Int) -> HeardWord?
    ) -> [MachineTranscript.Word] {
        let found = tokens.map { $0.words.compactMap(match) }
        var result: [MachineTranscript.Word] = []
        var index = 0
        while index < tokens.count {
            if let first = found[index].first, let last = found[index].last {
                let time = Range(from: first.time.lowerBound, to: last.time.upperBound)
                let confidence = tokens[index].words.count == found[index].count ? first.confidence : nil
                result.append(MachineTranscript.Word(String(tokens[index].text), time, confidence: confidence))
                index += 1
                continue
            }
            let end = (index..<tokens.count).first { !found[$0].isEmpty } ?? tokens.count
            let start = result.last?.time.upperBound ?? line.lowerBound
            let stop = max(start, end < tokens.count ? found[end][0].time.lowerBound : line.upperBound)
            for (number, token) in tokens[index..<end].enumerated() {
                let count = end - index
                let time = Range(
                    from: start + (stop - start) * number / count, to: start + (stop - start) * (number + 1) / count)
                result.append(MachineTranscript.Word(String(token.text), time))
            }
            index = end
        }
        return result
    }

    /// The words of phrases; those of a phrase without words share its time.
    private static func words(of heard: [Segment]) -> [HeardWord] {
        heard.enumerated().flatMap { number, segment -> [HeardWord] in
            if !segment.words.isEmpty {
                return segment.words.flatMap { word in
                    WordErrorRate.words(of: word.text).map {
                        HeardWord(
                            text: $0, time: word.time, confidence: word.confidence, segment: number, isTimed: true)
                    }
                }
            }
            guard let time = segment.time else { return [] }
            let words = WordErrorRate.words(of: segment.text)
            return words.enumerated().map { index, word in
                let place = Range(
                    from: time.lowerBound + time.count * index / words.count,
                    to: time.lowerBound + time.count * (index + 1) / words.count)
                return HeardWord(text: word, time: place, confidence: nil, segment: number, isTimed: false)
            }
        }
    }

    /// For each of `words` the place of the same word in `heard`; increasing where there are any.
    private static func matches(_ words: [String], _ heard: [String]) -> [Int?] {
        guard words.count * heard.count <= maximumComparisons else { return nearMatches(words, heard) }
        // Lengths of the longest common sequences of what is left of both.
        let width = heard.count + 1
        var lengths = [UInt32](repeating: 0, count: (words.count + 1) * width)
        for word in words.indices.reversed() {
            for place in heard.indices.reversed() {
                lengths[word * width + place] =
                    words[word] == heard[place]
                    ? lengths[(word + 1) * width + place + 1] + 1
                    : max(lengths[(word + 1) * width + place], lengths[word * width + place + 1])
            }
        }
        var result = [Int?](repeating: nil, count: words.count)
        var (word, place) = (0, 0)
        while word < words.count, place < heard.count {
            if words[word] == heard[place] {
                result[word] = place
                (word, place) = (word + 1, place + 1)
            } else if lengths[(word + 1) * width + place] >= lengths[word * width + place + 1] {
                word += 1
            } else {
                place += 1
            }
        }
        return result
    }

    private static func nearMatches(_ words: [String], _ heard: [String]) -> [Int?] {
        var position = 0
        return words.map { word in
            let end = min(position + searchedWordCount, heard.count)
            guard let place = (position..<end).first(where: { heard[$0] == word }) else { return nil }
            position = place + 1
            return place
        }
    }

    /// Lines without a place lie between their neighbours.
    private static func fillGaps(_ lines: [Segment], end: Int) -> [Segment] {
        var next = end
        var starts = [Int](repeating: end, count: lines.count)
        for index in lines.indices.reversed() {
            next = lines[index].time?.lowerBound ?? next
            starts[index] = next
        }
        var before = 0
        return lines.enumerated().map { index, line in
            let time = line.time ?? Range(from: before, to: starts[index])
            before = time.upperBound
            return Segment(line.text, time, words: line.words, speaker: line.speaker)
        }
    }
}
