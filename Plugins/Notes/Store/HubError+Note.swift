import System

extension HubError {
    private static let damagedLog = "note-log-damaged"

    /// The log of a note cannot be read.
    static func damagedLog(of note: String, hint: String, cause: any Error) -> HubError {
        HubError(
            .internal, code: damagedLog, "the history of the note \(note) cannot be read", hint: hint, cause: cause)
    }

    /// Whether the error lies in one note, so that others can be exchanged: its texts are too large, or damaged.
    var concernsOneNote: Bool { kind == .invalid || code == Self.damagedLog }
}
