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

    /// Returns the next samples; nil at the end.
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
