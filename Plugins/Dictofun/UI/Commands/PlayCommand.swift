import Commands
import DictofunDomain
import HubKit

/// `hub dictofun play`: plays a record.
enum PlayCommand {
    private static let from = Option<PlayPosition>("from", "TIME", help: "start position: 90, 1:30 or 1:02:03")
    private static let speed = Option<PlaySpeed>(
        "speed", "N", help: "speed from 0.5 to 4, at the same pitch (default: 1)")

    static let command = Command(
        "play", summary: "play a record",
        discussion: [
            "Sound is played by PipeWire, PulseAudio or ALSA, whichever is available.",
            "Keys: space pauses, left and right move by five seconds, up and down change the speed, q stops.",
        ],
        examples: [
            Example("hub dictofun play last", "the newest record"),
            Example("hub dictofun play plumber --from 1:30 --speed 1.5", "from a position, faster"),
        ], parameters: [RecordCommands.one, from, speed]
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let start = input[from]?.time ?? .zero
        guard start < record.record.length || start == .zero else {
            throw HubError(
                .usage, code: "past-the-end",
                "the record is only \(TranscriptWriter.length(record.record.length)) long")
        }
        let waveform = try await dictofun.waveform(of: record.id)
        await input.console.show([
            "\(record.summary.shownName), \(TranscriptWriter.length(record.record.length))",
            WaveformText.line(waveform, width: 64, ascii: false),
        ])
        let (console, name) = (input.console, record.summary.shownName)
        defer { console.report(nil) }
        try await dictofun.playWithKeys(record, from: start, speed: input[speed]?.value ?? 1) { playback in
            let state = playback.isPaused ? ", paused" : playback.speed == 1 ? "" : ", \(playback.speed) times as fast"
            console.report(
                Progress(
                    "\(name) \(TranscriptWriter.clock(playback.position.milliseconds))\(state)",
                    completed: Int(playback.position / .seconds(1)), of: max(1, Int(playback.length / .seconds(1))),
                    unit: "s"))
        }
        return .nothing
    }
}

/// A place in a record: seconds, `m:ss` or `h:mm:ss`.
struct PlayPosition: ArgumentValue {
    let time: Duration

    static func parse(argument: String) throws(InvalidArgument) -> PlayPosition {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { part in
            part.utf8.allSatisfy { (0x30...0x39).contains($0) } && part.utf8.count <= 6 ? Int(part) : nil
        }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, (1...3).contains(numbers.count),
            numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { throw InvalidArgument(expected: "seconds, or a place such as 1:30") }
        return PlayPosition(time: .seconds(numbers.reduce(0) { $0 * 60 + $1 }))
    }
}

/// A speed from 0.5 to 4.
struct PlaySpeed: ArgumentValue {
    let value: Double

    static func parse(argument: String) throws(InvalidArgument) -> PlaySpeed {
        guard let value = Double(argument), (0.5...4).contains(value) else {
            throw InvalidArgument(expected: "a number from 0.5 to 4")
        }
        return PlaySpeed(value: value)
    }
}
