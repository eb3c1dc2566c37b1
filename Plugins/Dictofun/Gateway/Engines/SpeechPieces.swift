import Audio
import DictofunDomain
import SoundFile

/// A part of a sound, as a file that is sent to a service.
struct SpeechPiece: Sendable {
    /// The path of the file, in FLAC.
    let path: String
    /// The place in the whole sound, in milliseconds.
    let time: Range<Int>

    /// Writes the sound in `file` as pieces of at most `maximum` milliseconds, which end in pauses. Their names begin with `scratch`, and
    /// the caller removes them.
    ///
    /// `start` is the place of the sound in a larger one.
    static func write(
        _ file: String, to scratch: String, maximum: Int, start: Int = 0
    ) throws(SoundFileError) -> [SpeechPiece] {
        let reader = try SoundFileReader(path: file)
        let rate = reader.sampleRate
        var finder = PauseFinder(sampleRate: rate, maximum: rate * maximum / 1000)
        var count = 0
        while let samples = reader.next() {
            finder.add(samples)
            count += samples.count
        }
        let source = try SoundFileReader(path: file)
        var pieces: [SpeechPiece] = []
        var position = 0
        var left: ArraySlice<Int16> = []
        for end in finder.cuts + [count] {
            let path = "\(scratch)-\(start + position * 1000 / rate).flac"
            let time = Range(from: start + position * 1000 / rate, to: start + end * 1000 / rate)
            pieces.append(SpeechPiece(path: path, time: time))
            let writer = try SoundFileWriter(path: path, format: .flac, sampleRate: rate)
            while position < end {
                if left.isEmpty { left = (source.next() ?? [Int16](repeating: 0, count: end - position))[...] }
                let part = left.prefix(end - position)
                try writer.write(Array(part))
                position += part.count
                left = left.dropFirst(part.count)
            }
            try writer.finish()
        }
        return pieces
    }

    /// Writes the piece as a WAV file.
    func writeWAV(to path: String) throws(SoundFileError) {
        let reader = try SoundFileReader(path: self.path)
        let writer = try SoundFileWriter(path: path, format: .wav, sampleRate: reader.sampleRate)
        while let samples = reader.next() { try writer.write(samples) }
        try writer.finish()
    }
}
