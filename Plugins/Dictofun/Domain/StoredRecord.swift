package import Time

/// A stored voice record.
package struct StoredRecord: Sendable {
    /// The id of the record.
    package let id: String
    /// The revision number, increased by every change.
    package let revision: Int
    /// The time when it was moved to the trash; nil for a live one.
    package let deletedAt: Instant?
    /// The SHA-256 of the sound as the recorder or the file had it, which names the blob that holds it.
    package let blob: String
    /// The size of the sound in bytes.
    package let size: Int
    /// The format of the sound.
    package let format: SoundFormat
    /// The name of the file that it was imported from, without extension; empty for a recorder's.
    package let name: String
    /// Where and when it was made, its length, tags and text.
    package let record: Record
    /// Whether the engine that made the text is known to be rough.
    package let isRough: Bool

    package init(
        id: String, revision: Int, deletedAt: Instant?, blob: String, size: Int, format: SoundFormat, name: String,
        record: Record, isRough: Bool
    ) {
        self.id = id
        self.revision = revision
        self.deletedAt = deletedAt
        self.blob = blob
        self.size = size
        self.format = format
        self.name = name
        self.record = record
        self.isRough = isRough
    }
}

/// A record as it was at some time.
package struct RecordVersion: Hashable, Sendable {
    /// The id of the record.
    package let id: String
    /// The revision that it had.
    package let revision: Int

    package init(id: String, revision: Int) {
        self.id = id
        self.revision = revision
    }
}

/// The values of a record in lists and messages.
package struct RecordSummary: Sendable {
    /// The id of the record.
    package let id: String
    /// The name of the file that it was imported from; empty for a recorder's.
    package let fileName: String
    /// The local time at which it began.
    package let startTime: LocalTime
    /// Whether that is only the day, or the time at which it came here.
    package let isTimeUnknown: Bool
    /// The length of the sound.
    package let length: Duration
    /// The tags.
    package let tags: [String]
    /// The beginning of its text; empty before transcription.
    package let excerpt: String
    /// The address of the recorder; empty for an imported file.
    package let device: String
    /// The revision number.
    package let revision: Int

    package init(
        id: String, fileName: String, startTime: LocalTime, isTimeUnknown: Bool, length: Duration, tags: [String],
        excerpt: String, device: String, revision: Int
    ) {
        self.id = id
        self.fileName = fileName
        self.startTime = startTime
        self.isTimeUnknown = isTimeUnknown
        self.length = length
        self.tags = tags
        self.excerpt = excerpt
        self.device = device
        self.revision = revision
    }
}
