/// What `pocketsphinx_continuous -infile FILE -time yes` prints: for each phrase its text, then a line for each word with start,
/// end and probability.
package enum PocketsphinxTranscript {
    /// Returns the transcript in the program's standard output.
    package static func read(_ bytes: [UInt8]) throws(TranscriptionError) -> MachineTranscript {
        guard bytes.count <= TranscriptionError.maximumSize else { throw .tooLong }
        var segments: [MachineTranscript.Segment] = []
        var words: [MachineTranscript.Word] = []
        var text: String?
        func close() {
            if let text, !text.isEmpty {
                let time = words.first.map { Range(from: $0.time.lowerBound, to: words.last?.time.upperBound ?? 0) }
                segments.append(MachineTranscript.Segment(text, time, words: words))
            }
            (text, words) = (nil, [])
        }
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let fields = line.split { $0.isWhitespace }
            guard fields.count == 4, let time = time(fields[1], fields[2]), let probability = Double(fields[3]) else {
                close()
                text = line.singleSpaced
                continue
            }
            // Silence and noises are in angle or square brackets; another pronunciation has a number in parentheses.
            if fields[0].hasPrefix("<") || fields[0].hasPrefix("[") || fields[0].hasPrefix("+") { continue }
            let word = fields[0].prefix { $0 != "(" }
            words.append(MachineTranscript.Word(String(word), time, confidence: probability))
        }
        close()
        return MachineTranscript(segments: segments, language: "en")
    }

    private static func time(_ start: Substring, _ end: Substring) -> Range<Int>? {
        guard let start = Double(start), let end = Double(end), start >= 0, end >= 0, start < 1e8, end < 1e8 else {
            return nil
        }
        return Range(from: Int((start * 1000).rounded()), to: Int((end * 1000).rounded()))
    }
}
