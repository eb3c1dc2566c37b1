import JSON

/// The answer of an HTTP service that is compatible with OpenAI's transcriptions, as `json` or `verbose_json`.
package enum OpenAITranscript {
    /// Returns the transcript in the body of an answer.
    package static func read(_ bytes: [UInt8]) throws(TranscriptionError) -> MachineTranscript {
        let json = try TranscriptionJSON.read(bytes)
        if let error = json["error"] {
            throw .refused((error["message"] ?? error).scalarText?.singleSpaced ?? "an error without a message")
        }
        guard let text = json["text"]?.string?.singleSpaced else { throw .malformed("\"text\" is missing") }
        var segments = (json["segments"]?.array ?? []).compactMap { segment -> MachineTranscript.Segment? in
            guard let text = segment["text"]?.string?.singleSpaced, !text.isEmpty else { return nil }
            return MachineTranscript.Segment(text, TranscriptionJSON.seconds(segment["start"], segment["end"]))
        }
        let words = (json["words"]?.array ?? []).compactMap { word -> MachineTranscript.Word? in
            guard let text = word["word"]?.string?.singleSpaced, !text.isEmpty,
                let time = TranscriptionJSON.seconds(word["start"], word["end"])
            else { return nil }
            return MachineTranscript.Word(text, time)
        }
        if segments.isEmpty, !text.isEmpty {
            let time = words.first.map { Range(from: $0.time.lowerBound, to: words.last?.time.upperBound ?? 0) }
            segments = [MachineTranscript.Segment(text, time)]
        }
        return MachineTranscript(
            segments: distribute(words, over: segments), language: json["language"]?.string)
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
