/// The format of a record's sound as it is kept.
package enum SoundFormat: Hashable, Sendable {
    /// The file of a recorder, as it sent it.
    case recorder
    /// A sound file, with the extension of its name in lower case.
    case file(String)

    /// The stored form.
    package var text: String {
        switch self {
        case .recorder: "recorder"
        case .file(let name): "file:" + name
        }
    }

    /// The format whose stored form is `text`.
    package init(text: String) {
        self = text.hasPrefix("file:") ? .file(String(text.dropFirst(5))) : .recorder
    }
}

/// The type of a sound file that is written.
package enum SoundFileType: String, CaseIterable, Sendable {
    /// Uncompressed.
    case wav
    /// Compressed without loss.
    case flac
    /// Compressed with loss.
    case opus
    /// Compressed with loss, for every player.
    case mp3
}
