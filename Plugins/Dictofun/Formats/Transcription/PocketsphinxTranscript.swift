import JSON

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
            if isNoise(fields[0]) { continue }
            let word = fields[0].prefix { $0 != "(" }
            words.append(MachineTranscript.Word(String(word), time, confidence: probability))
        }
        close()
        return MachineTranscript(segments: segments, language: "en")
    }

    /// Returns the transcript in the standard output of `pocketsphinx live FILE` of version 5: for each phrase a line of JSON with its
    /// beginning, duration, probability and text, and the same of its words.
    package static func read(json bytes: [UInt8]) throws(TranscriptionError) -> MachineTranscript {
        guard bytes.count <= TranscriptionError.maximumSize else { throw .tooLong }
        var segments: [MachineTranscript.Segment] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let phrase = try TranscriptionJSON.read(Array(line))
            guard let text = phrase["t"]?.string?.singleSpaced else { throw .malformed("\"t\" is missing") }
            let words = (phrase["w"]?.array ?? []).compactMap { word -> MachineTranscript.Word? in
                guard let text = word["t"]?.string, !isNoise(text), let time = time(word) else { return nil }
                let probability = if case .number(let number)? = word["p"] { Double(number) } else { Double?.none }
                return MachineTranscript.Word(String(text.prefix { $0 != "(" }), time, confidence: probability)
            }
            if !text.isEmpty { segments.append(MachineTranscript.Segment(text, time(phrase), words: words)) }
        }
        return MachineTranscript(segments: segments, language: "en")
    }

    private static func time(_ json: JSONValue) -> Range<Int>? {
        guard case .number(let start)? = json["b"], case .number(let length)? = json["d"], let start = Double(start),
            let length = Double(length)
        else { return nil }
        return time("\(start)", "\(start + length)")
    }

    /// Whether a word stands for silence or a noise.
    private static func isNoise(_ word: some StringProtocol) -> Bool {
        word.hasPrefix("<") || word.hasPrefix("[") || word.hasPrefix("+")
    }

    private static func time(_ start: some StringProtocol, _ end: some StringProtocol) -> Range<Int>? {
        guard let start = Double(start), let end = Double(end), start >= 0, end >= 0, start < 1e8, end < 1e8 else {
            return nil
        }
        return Range(from: Int((start * 1000).rounded()), to: Int((end * 1000).rounded()))
    }
}
