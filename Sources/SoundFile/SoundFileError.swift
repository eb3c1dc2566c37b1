/// An error while reading or writing a sound file.
package enum SoundFileError: Error, Hashable, Sendable {
    /// libsndfile is not installed, with the loader's words.
    case libraryMissing(String)
    /// The file is not a sound file that libsndfile knows, with its words.
    case unreadable(String)
    /// The file has no sound, or one with properties that are not usable.
    case unsupported(String)
    /// The file cannot be written, with the library's words.
    case unwritable(String)
}
