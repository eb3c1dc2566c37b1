/// Why the output of an engine is not a transcript.
package enum TranscriptionError: Error, Hashable, Sendable {
    /// The output is not what this engine writes; the reason in a few words.
    case malformed(String)
    /// The engine says what went wrong.
    case refused(String)
    /// There is more than any record can hold.
    case tooLong

    /// The most bytes of output: a day of speech with times of every token.
    package static let maximumSize = 64 << 20
}
