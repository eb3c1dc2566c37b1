import Audio
import DictofunDomain
import SoundFile
import System

/// The sound of a record as mono samples of 16 bits, read in pieces.
final class Sound {
    private enum Source {
        case file(SoundFileReader)
        case recorder(ChunkedFileReader, RecordDecoder, first: [Int16])
        case end
    }

    /// The number of samples a second.
    let sampleRate: Int
    private var source: Source

    /// Opens a file of a recorder.
    init(recorderFile path: String) throws(HubError) {
        let reader = try ChunkedFileReader(path: path, isRegular: true)
        var decoder = RecordDecoder()
        var first: [Int16] = []
        while decoder.descriptor == nil, let bytes = try reader.next() { first += decoder.decode(bytes) }
        if decoder.descriptor == nil { first += decoder.finish() }
        sampleRate = decoder.descriptor?.sampleRate ?? Resampler.speechRate
        source = .recorder(reader, decoder, first: first)
    }

    /// Opens a file that libsndfile knows.
    init(soundFile path: String) throws(SoundFileError) {
        let reader = try SoundFileReader(path: path)
        sampleRate = reader.sampleRate
        source = .file(reader)
    }

    /// The number of channels that can be kept: two, or else one.
    var channelCount: Int { if case .file(let reader) = source, reader.channelCount == 2 { 2 } else { 1 } }

    /// Whether the file has less sound than its header promises; known at the end.
    var endsEarly: Bool { if case .file(let reader) = source { reader.endsEarly } else { false } }

    /// Returns the next samples, with `keepsChannels` also those of each of two channels; nil at the end.
    func nextPiece(keepsChannels: Bool) throws(HubError) -> SoundFileReader.Piece? {
        if case .file(let reader) = source { return reader.nextPiece(keepsChannels: keepsChannels) }
        return try next().map { SoundFileReader.Piece(mono: $0, channels: []) }
    }

    /// Returns the next samples, the channels averaged; nil at the end.
    func next() throws(HubError) -> [Int16]? {
        switch source {
        case .file(let reader): return reader.next()
        case .end: return nil
        case .recorder(let reader, var decoder, let first):
            source = .end
            if !first.isEmpty {
                source = .recorder(reader, decoder, first: [])
                return first
            }
            guard let bytes = try reader.next() else { return nil }
            let samples = decoder.decode(bytes)
            source = .recorder(reader, decoder, first: [])
            return samples
        }
    }

    /// The date inside the file; nil if there is none.
    var date: String? { if case .file(let reader) = source { reader.date } else { nil } }
}
