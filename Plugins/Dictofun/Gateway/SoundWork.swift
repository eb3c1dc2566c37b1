package import Audio
import DictofunDomain
import Glibc
import SoundFile
import Storage
import Threading

/// What is known of a sound that was read to its end.
package struct SoundSummary: Sendable {
    /// The number of samples a second.
    package let sampleRate: Int
    /// The outline, with the number of samples.
    package let waveform: Waveform
    /// The date inside the file, as it is written there.
    package var date: String?
    /// Whether the file has less sound than its header promises.
    package var endsEarly = false

    /// The length of the sound.
    package var length: Duration { .milliseconds(waveform.sampleCount * 1000 / sampleRate) }
}

/// Reading a sound file to its end, for its outline or to write another file.
///
/// The bytes come from outside: a decoder may need minutes for some of them, or crash. So hub does this in a process of its own.
struct SoundWork: Sendable {
    /// A file that is written from the sound.
    struct Target: Sendable {
        let path: String
        let type: SoundFileType
        /// The number of samples a second; nil for the sound's own, or the next that the type has.
        var sampleRate: Int?
        /// Where the file begins.
        var start = Duration.zero
        /// The speed at an unchanged pitch.
        var speed = 1.0
    }

    /// The name of the command that does the work.
    static let command = "__sound"

    let path: String
    let format: SoundFormat
    var target: Target?

    /// Does the work on this thread.
    func run() throws -> SoundSummary {
        CooperativePool.assertNotCurrent("SoundWork.run")
        let sound: Sound =
            if format == .recorder { try Sound(recorderFile: path) } else { try Sound(soundFile: path) }
        var waveform = Waveform()
        // Speech has one channel; what is played and exported keeps two.
        let channelCount = target.map { $0.sampleRate == nil ? sound.channelCount : 1 } ?? 1
        let writer = try target.map {
            try SoundTargetWriter($0, sampleRate: sound.sampleRate, channelCount: channelCount)
        }
        while let piece = try sound.nextPiece(keepsChannels: channelCount > 1) {
            waveform.add(piece.mono)
            try writer?.write(channelCount > 1 ? piece.channels : [piece.mono])
        }
        try writer?.finish()
        return SoundSummary(
            sampleRate: sound.sampleRate, waveform: waveform, date: sound.date, endsEarly: sound.endsEarly)
    }
}

/// Writes the file of a target from the samples of a sound.
private final class SoundTargetWriter {
    private let writer: SoundFileWriter
    private var channels: [(resampler: Resampler, stretch: TimeStretch)]
    private var skipped: Int

    init(_ target: SoundWork.Target, sampleRate: Int, channelCount: Int) throws {
        let format: SoundFileWriter.Format =
            switch target.type {
            case .wav: .wav
            case .flac: .flac
            case .opus: .opus
            case .mp3: .mp3
            }
        let nearest = format.sampleRates.map { $0.first { $0 >= sampleRate } ?? $0.last ?? 48_000 }
        let rate = target.sampleRate ?? nearest ?? sampleRate
        guard let resampler = Resampler(from: sampleRate, to: rate),
            let stretch = TimeStretch(speed: target.speed, sampleRate: sampleRate)
        else {
            throw HubError(.invalid, code: "sound-rate", "a sample rate of \(sampleRate) Hz is not supported")
        }
        channels = [(Resampler, TimeStretch)](repeating: (resampler, stretch), count: channelCount)
        skipped = Int(target.start / .milliseconds(1)) * sampleRate / 1000
        writer = try SoundFileWriter(
            path: target.path, format: format, sampleRate: rate, channelCount: channelCount)
    }

    func write(_ samples: [[Int16]]) throws {
        let rest = samples.map { $0.dropFirst(skipped) }
        skipped -= samples[0].count - rest[0].count
        try writer.write(
            rest.enumerated().map { index, samples in
                channels[index].resampler.resample(channels[index].stretch.stretch(Array(samples)))
            })
    }

    func finish() throws {
        try writer.write(channels.indices.map { channels[$0].resampler.resample(channels[$0].stretch.finish()) })
        try writer.write(channels.indices.map { channels[$0].resampler.finish() })
        try writer.finish()
    }
}

/// The work as the words of a command, and its result as a file.
extension SoundWork {
    /// The words after the name of the command.
    var words: [String] {
        let target = target.map { target in
            [
                target.path, target.type.rawValue, "\(target.sampleRate ?? 0)",
                "\(Int(target.start / .milliseconds(1)))", "\(target.speed)",
            ]
        }
        return [path, format.text] + (target ?? [])
    }

    /// The work that `words` stand for.
    init?(words: [String]) {
        guard words.count == 2 || words.count == 7 else { return nil }
        (path, format) = (words[0], SoundFormat(text: words[1]))
        guard words.count == 7 else { return }
        guard let type = SoundFileType(rawValue: words[3]), let rate = Int(words[4]), let start = Int(words[5]),
            let speed = Double(words[6])
        else { return nil }
        target = Target(
            path: words[2], type: type, sampleRate: rate == 0 ? nil : rate, start: .milliseconds(start), speed: speed)
    }

    /// Does the work, and writes its result to the file at `result`: a line with the rate, or the kind of the error, a line with the
    /// date or the reason, and the outline.
    func run(result: String) throws {
        let bytes: [UInt8]
        do {
            let summary = try run()
            let date = TerminalSanitizer.line(summary.date ?? "")
            let kind = summary.endsEarly ? "cut" : "sound"
            bytes = Array("\(kind) \(summary.sampleRate)\n\(date)\n".utf8) + summary.waveform.bytes
        } catch let error as SoundFileError {
            bytes = Array("\(error.kind)\n\(TerminalSanitizer.line(error.text))\n".utf8)
        }
        guard let file = fopen(result, "wxe") else { throw HubError(storeFile: SystemError("open \(result)")) }
        let count = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, count == bytes.count else {
            throw HubError(storeFile: SystemError("write \(result)"))
        }
    }

    /// Reads what ``run(result:)`` has written; nil when that is not complete.
    static func summary(result bytes: [UInt8]) throws(SoundFileError) -> SoundSummary? {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3 else { return nil }
        let (kind, text) = (String(decoding: lines[0], as: UTF8.self), String(decoding: lines[1], as: UTF8.self))
        if let error = SoundFileError(kind: kind, text: text) { throw error }
        let words = kind.split(separator: " ")
        guard words.count == 2, words[0] == "sound" || words[0] == "cut", let rate = Int(words[1]), rate > 0,
            let waveform = Waveform(bytes: Array(lines[2]))
        else { return nil }
        return SoundSummary(
            sampleRate: rate, waveform: waveform, date: text.isEmpty ? nil : text, endsEarly: words[0] == "cut")
    }
}

extension SoundFileError {
    /// The reason in words.
    var text: String {
        switch self {
        case .libraryMissing(let reason), .unreadable(let reason), .unsupported(let reason), .unwritable(let reason):
            reason
        }
    }

    fileprivate var kind: String {
        switch self {
        case .libraryMissing: "library-missing"
        case .unreadable: "unreadable"
        case .unsupported: "unsupported"
        case .unwritable: "unwritable"
        }
    }

    fileprivate init?(kind: String, text: String) {
        switch kind {
        case "library-missing": self = .libraryMissing(text)
        case "unreadable": self = .unreadable(text)
        case "unsupported": self = .unsupported(text)
        case "unwritable": self = .unwritable(text)
        default: return nil
        }
    }
}
