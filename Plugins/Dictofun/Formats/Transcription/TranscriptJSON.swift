import JSON

/// The form in which the text of an engine is stored: phrases with their places in milliseconds, and their words, with the engine's certainty in percent.
///
///     {"language":"en","segments":[{"text":"Call home","at":[0,900],"words":[["Call",0,400,98],["home",400,900]]}]}
package enum TranscriptJSON {
    /// Returns the stored form.
    package static func text(_ transcript: MachineTranscript) -> String {
        var json = JSONWriter()
        json.object { json in
            if let language = transcript.language {
                json.name("language")
                json.value(language)
            }
            json.name("segments")
            json.array { json in for segment in transcript.segments { write(segment, to: &json) } }
        }
        return json.string
    }

    private static func write(_ segment: MachineTranscript.Segment, to json: inout JSONWriter) {
        json.object { json in
            json.name("text")
            json.value(segment.text)
            if let time = segment.time {
                json.name("at")
                json.array { json in
                    json.value(time.lowerBound)
                    json.value(time.upperBound)
                }
            }
            if let speaker = segment.speaker {
                json.name("speaker")
                json.value(speaker)
            }
            guard !segment.words.isEmpty else { return }
            json.name("words")
            json.array { json in
                for word in segment.words {
                    json.array { json in
                        json.value(word.text)
                        json.value(word.time.lowerBound)
                        json.value(word.time.upperBound)
                        if let confidence = word.confidence {
                            json.value(Int((confidence * 100).rounded()))
                        }
                    }
                }
            }
        }
    }

    /// Returns the transcript of a stored form; nil for anything else.
    package static func transcript(_ text: String) -> MachineTranscript? {
        let limits = JSONReader.Limits(bytes: 2 * TranscriptionError.maximumSize, depth: 8)
        guard let json = try? JSONReader.read(Array(text.utf8), limits: limits), let all = json["segments"]?.array
        else {
            return nil
        }
        let segments = all.map { segment in
            let at = segment["at"]?.array?.compactMap(\.integer) ?? []
            return MachineTranscript.Segment(
                segment["text"]?.string ?? "", at.count == 2 ? Range(from: at[0], to: at[1]) : nil,
                words: (segment["words"]?.array ?? []).compactMap(word), speaker: segment["speaker"]?.string)
        }
        return MachineTranscript(segments: segments, language: json["language"]?.string)
    }

    private static func word(_ json: JSONValue) -> MachineTranscript.Word? {
        guard let fields = json.array, fields.count >= 3, let text = fields[0].string, let start = fields[1].integer,
            let end = fields[2].integer
        else { return nil }
        let confidence = fields.count > 3 ? fields[3].integer.map { Double($0) / 100 } : nil
        return MachineTranscript.Word(text, Range(from: start, to: end), confidence: confidence)
    }
}
