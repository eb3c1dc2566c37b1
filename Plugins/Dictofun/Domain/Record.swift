package import Time

/// A voice record, from a recorder or from a file.
package struct Record: Hashable, Sendable {
    /// Where a record came from.
    package enum Origin: Hashable, Sendable {
        /// A recorder, with the id of its file there; both together are fetched once.
        case device(address: String, file: FileID)
        /// A file that was imported, with its name.
        case file(name: String)
    }

    /// The shortest record that is worth an engine's time; a press of the button by mistake is shorter.
    package static let minimumTranscribedLength = Duration.milliseconds(100)

    /// Where it came from.
    package let origin: Origin
    /// The local time at which it began, by the recorder's clock, the file's name or the file's date.
    package let startTime: LocalTime
    /// Whether ``startTime`` is only the day, at midnight, or the time at which it came here: nothing said more.
    package let isTimeUnknown: Bool
    /// The length of the sound.
    package let length: Duration
    /// Words that the user filed it under.
    package var tags: [String]
    /// What was said in it.
    package var transcript: Transcript

    package init(
        origin: Origin, startTime: LocalTime, isTimeUnknown: Bool = false, length: Duration, tags: [String] = [],
        transcript: Transcript = Transcript()
    ) {
        self.origin = origin
        self.startTime = startTime
        self.isTimeUnknown = isTimeUnknown
        self.length = length
        self.tags = tags
        self.transcript = transcript
    }

    /// A record of a recorder's file. `fetchTime` counts when the recorder had no time.
    package init(file: FileID, of address: String, length: Duration, fetchTime: LocalTime) {
        let time = file.startTime
        self.init(
            origin: .device(address: address, file: file), startTime: time ?? fetchTime, isTimeUnknown: time == nil,
            length: length)
    }

    /// Whether it is to be transcribed by itself: it is long enough and has no transcript.
    package var needsTranscription: Bool { transcript.machine == nil && length >= Record.minimumTranscribedLength }

    /// Whether it is listed before `other`: newest first.
    package func precedes(_ other: Record) -> Bool {
        (startTime.day, startTime.millisecond) > (other.startTime.day, other.startTime.millisecond)
    }

    /// The beginning of its text in at most `count` characters, without line breaks; an ellipsis shows that there is more.
    package func excerpt(_ count: Int) -> String {
        let words = transcript.text.split { $0.isWhitespace }
        var line = ""
        for word in words {
            let longer = line.isEmpty ? String(word) : line + " " + word
            if longer.count > count - (word == words.last ? 0 : 1) {
                return (line.isEmpty ? String(word.prefix(max(0, count - 1))) : line) + "…"
            }
            line = longer
        }
        return line
    }
}
