import JSON

/// The answer of an HTTP service that is compatible with OpenAI's transcriptions, as `json`, `verbose_json` or `diarized_json`.
package enum OpenAITranscript {
    /// Returns the transcript in the body of an answer.
    package static func read(_ bytes: [UInt8]) throws(TranscriptionError) -> MachineTranscript {
        let json = try TranscriptionJSON.read(bytes)
        if let error = json["error"], error != .null {
            throw .refused((error["message"] ?? error).scalarText?.singleSpaced ?? "an error without a message")
        }
        // FastAPI, in which many services are written: a sentence, or a list of what is wrong with the fields of the form.
        if let detail = json["detail"], json["text"] == nil { throw .refused(reason(detail)) }
        let segments = (json["segments"]?.array ?? []).compactMap(segment)
        // WhisperX gives no text beside that of its phrases.
        guard let text = json["text"]?.string?.singleSpaced ?? (segments.isEmpty ? nil : "") else {
            throw .malformed("\"text\" is missing")
        }
        let language = json["language"]?.string
        // Most services list the words of the whole sound, some those of each phrase.
        if segments.contains(where: { !$0.words.isEmpty }) {
            return MachineTranscript(segments: segments, language: language)
        }
        let words = words(json["words"]?.array ?? [])
        if segments.isEmpty, !text.isEmpty {
            let time = words.first.map { Range(from: $0.time.lowerBound, to: words.last?.time.upperBound ?? 0) }
            return MachineTranscript(
                segments: [MachineTranscript.Segment(text, time, words: words)], language: language)
        }
        return MachineTranscript(segments: distribute(words, over: segments), language: language)
    }

    private static func segment(_ json: JSONValue) -> MachineTranscript.Segment? {
        guard let text = json["text"]?.string?.singleSpaced, !text.isEmpty else { return nil }
        let list = json["words"]?.array ?? []
        // WhisperX names the speaker of each word too.
        let speaker = json["speaker"] ?? list.lazy.compactMap { $0["speaker"] }.first
        return MachineTranscript.Segment(
            text, TranscriptionJSON.seconds(json["start"], json["end"]), words: words(list),
            speaker: speaker?.scalarText.flatMap(SpeakerName.of))
    }

    /// The words of a list. In one of tokens, as the server of whisper.cpp gives it, a word begins with a blank, and what has none
    /// belongs to the word before; in other lists no word has one.
    private static func words(_ list: [JSONValue]) -> [MachineTranscript.Word] {
        let texts = list.map { ($0["word"] ?? $0["text"])?.string ?? "" }
        let areTokens = texts.dropFirst().contains { $0.first?.isWhitespace == true }
        var words = TranscribedWords()
        for (json, text) in zip(list, texts) {
            let part = text.singleSpaced
            // WhisperX gives no place to words that it could not align, such as numbers.
            guard !part.isEmpty, let time = TranscriptionJSON.seconds(json["start"], json["end"]) else { continue }
            words.add(
                part, time, confidence: json["probability"] ?? json["score"],
                joins: areTokens && text.first?.isWhitespace != true)
        }
        return words.words
    }

    private static func reason(_ detail: JSONValue) -> String {
        let problems = (detail.array ?? []).compactMap { problem -> String? in
            guard let message = problem["msg"]?.scalarText else { return nil }
            let field = problem["loc"]?.array?.last?.scalarText
            return (field.map { "\($0): " } ?? "") + message
        }
        if !problems.isEmpty { return problems.joined(separator: "; ").singleSpaced }
        return (detail["message"] ?? detail["error"] ?? detail).scalarText?.singleSpaced ?? "an error without a message"
    }

    /// Gives each word to the last phrase that begins before it ends; both come in the order of time.
    private static func distribute(
        _ words: [MachineTranscript.Word], over segments: [MachineTranscript.Segment]
    ) -> [MachineTranscript.Segment] {
        guard !segments.isEmpty else { return [] }
        var segments = segments
        var current = 0
        for word in words {
            while current + 1 < segments.count, let next = segments[current + 1].time,
                next.lowerBound < word.time.upperBound
            {
                current += 1
            }
            segments[current].words.append(word)
        }
        return segments
    }
}

/// The name under which a speaker is shown.
enum SpeakerName {
    /// Returns the name for what an engine writes: `SPEAKER_00` and `0` are the first speaker. Nil for an unknown one.
    static func of(_ label: String) -> String? {
        let label = label.singleSpaced
        let number = label.uppercased().hasPrefix("SPEAKER_") ? label.dropFirst(8) : label[...]
        if number.utf8.count < 5, let number = Int(number), number >= 0 { return "Speaker \(number + 1)" }
        if label.count == 1, label.first?.isLetter == true { return "Speaker \(label)" }
        return label.isEmpty || label == "?" || label.count > 80 ? nil : label
    }
}
