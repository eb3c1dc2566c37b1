import JSON

/// The JSON that `whisper-cli` of whisper.cpp writes with `--output-json` or `--output-json-full`.
package enum WhisperTranscript {
    /// Returns the transcript in `bytes`.
    package static func read(_ bytes: [UInt8]) throws(TranscriptionError) -> MachineTranscript {
        let json = try TranscriptionJSON.read(bytes)
        guard let phrases = json["transcription"]?.array else { throw .malformed("\"transcription\" is missing") }
        return MachineTranscript(
            segments: phrases.compactMap(segment), language: json["result"]?["language"]?.string)
    }

    private static func segment(_ json: JSONValue) -> MachineTranscript.Segment? {
        guard let text = json["text"]?.string?.singleSpaced, !text.isEmpty, !isSound(text) else { return nil }
        return MachineTranscript.Segment(
            text, time(json["offsets"]), words: words(json["tokens"]?.array ?? []),
            speaker: json["speaker"]?.scalarText.flatMap(SpeakerName.of))
    }

    /// Whether a phrase describes a sound instead of speech: `[BLANK_AUDIO]`, `(music)`.
    private static func isSound(_ text: String) -> Bool {
        (text.first == "[" && text.last == "]") || (text.first == "(" && text.last == ")")
    }

    private static func time(_ json: JSONValue?) -> Range<Int>? {
        guard let start = json?["from"]?.integer, let end = json?["to"]?.integer, (0..<1 << 40).contains(start),
            end < 1 << 40
        else { return nil }
        return Range(from: start, to: end)
    }

    /// Joins tokens to words: a token that starts with a blank starts a word. Marks such as `[_BEG_]` are left out.
    private static func words(_ tokens: [JSONValue]) -> [MachineTranscript.Word] {
        var words = TranscribedWords()
        for token in tokens {
            guard let text = token["text"]?.string, let time = time(token["offsets"]), !text.hasPrefix("[_") else {
                continue
            }
            let part = text.singleSpaced
            if part.isEmpty { continue }
            words.add(part, time, confidence: token["p"], joins: text.first?.isWhitespace != true)
        }
        return words.words
    }
}
