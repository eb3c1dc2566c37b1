/// The text of a record: what an engine heard, and what the user made of it.
package struct Transcript: Hashable, Sendable {
    /// The engine's version; nil before transcription.
    package private(set) var machine: MachineTranscript?
    /// The engine that made it, such as `whisper-cli base`.
    package private(set) var engine: String?
    /// The user's version; nil when it is that of the engine.
    package private(set) var edited: String?

    package init(machine: MachineTranscript? = nil, engine: String? = nil, edited: String? = nil) {
        self.machine = machine
        self.engine = engine
        self.edited = edited
    }

    /// The text to show, search and export.
    package var text: String { edited ?? machine?.text ?? "" }

    /// The text as it is edited: a line for each phrase.
    package var lines: String { edited ?? machine?.segments.map(\.text).joined(separator: "\n") ?? "" }

    /// Breaks a text without line breaks into the engine's phrases, by the words that both have in common.
    package func brokenIntoPhrases(_ text: String) -> String {
        let heard = (machine?.segments ?? []).enumerated().flatMap { number, segment in
            WordErrorRate.words(of: segment.text).map { (word: $0, phrase: number) }
        }
        guard !heard.isEmpty, !text.contains(where: \.isNewline) else { return text }
        // Words that the engine did not hear probably stand in the place of as many of its words.
        var (position, unheard, phrase) = (0, 0, heard[0].phrase)
        var lines: [[Substring]] = [[]]
        for word in text.split(separator: " ") {
            let sought = WordErrorRate.words(of: String(word)).first
            let end = min(position + unheard + Transcript.skippedWordCount, heard.count)
            let match = (position..<end).first { heard[$0].word == sought }
            let next = heard[min(match ?? position + unheard, heard.count - 1)].phrase
            if next > phrase {
                lines.append([])
                phrase = next
            }
            lines[lines.count - 1].append(word)
            (position, unheard) = match.map { ($0 + 1, 0) } ?? (position, unheard + 1)
        }
        return lines.map { $0.joined(separator: " ") }.joined(separator: "\n")
    }

    /// Replaces the user's version. The text of the engine itself, in one line or a line for each phrase, means that there is none.
    package mutating func edit(_ text: String) {
        let isOfEngine = text == machine?.text || text == machine?.segments.map(\.text).joined(separator: "\n")
        edited = isOfEngine ? nil : text
    }

    /// Drops the user's version.
    package mutating func revert() { edited = nil }

    /// Takes the version of a further transcription. An edit stays what is shown; ``revert()`` uncovers the new version.
    package mutating func transcribe(_ machine: MachineTranscript, engine: String) {
        (self.machine, self.engine) = (machine, engine)
        if edited == machine.text { edited = nil }
    }

    /// The text in phrases with their places. Of an edited text, each line is a phrase: one that was not touched keeps its times and words,
    /// and another is placed by the words that it has in common with the engine's version.
    package var segments: [MachineTranscript.Segment] {
        guard let edited else { return machine?.segments ?? [] }
        let heard = machine?.segments ?? []
        guard heard.contains(where: { $0.time != nil || !$0.words.isEmpty }) else {
            return [MachineTranscript.Segment(edited, nil)]
        }
        return TranscriptAlignment.segments(of: edited, heard: heard)
    }

    /// How many of the engine's words may be missing in a line of text, beside those that were replaced.
    private static let skippedWordCount = 6
}
