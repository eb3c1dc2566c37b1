import Audio
import DictofunDomain

/// What recorders, bootloaders, sound files and speech engines send.
enum RecorderFuzzing {
    /// A connection to a recorder: the first byte chooses its characteristics, then come events of a kind, a length and bytes.
    static func connection(_ input: [UInt8]) -> String? {
        var script = Script(input)
        let optional: [FTSCharacteristic] = [.fileListNext, .storage, .pairing]
        let mask = script.byte() ?? 0
        let chosen = optional.enumerated().filter { mask >> $0.offset & 1 == 1 }.map(\.element)
        var engine = FTSEngine(
            characteristics: FTSCharacteristic.required.union(chosen), inventory: .init(),
            tellsCompletion: mask & 8 == 0)
        var link = Link()
        if let broken = link.take(engine.start()) { return broken }
        while let event = script.event(&link) {
            if let broken = link.take(engine.handle(event)) { return broken }
        }
        if let broken = link.take(engine.handle(.disconnected)) { return broken }
        for number in link.stores {
            if let broken = link.take(engine.handle(.stored(number))) { return broken }
        }
        guard engine.isFinished, link.finishCount == 1 else { return "a connection ends once" }
        _ = (FTSStatus(input), DeviceStorage(input), try? FileInfo(input))
        return nil
    }

    /// The owner of an engine, which checks what it asks for.
    private struct Link {
        private(set) var timer = 0
        private(set) var stores: [Int] = []
        private(set) var finishCount = 0
        private var file: (number: Int, size: Int, received: Int)?

        mutating func take(_ actions: [FTSEngine.Action]) -> String? {
            guard actions.count <= 64 else { return "an event has few consequences" }
            for action in actions {
                guard finishCount == 0 else { return "nothing follows the end" }
                switch action {
                case .startTimer(let number, _): timer = number
                case .begin(let begun): file = (begun.number, begun.info.size, 0)
                case .append(let bytes): file?.received += bytes.count
                case .discard: file = nil
                case .store(let number):
                    guard let file, file.number == number, file.received == file.size else {
                        return "only whole files are stored"
                    }
                    stores.append(number)
                case .finish: finishCount += 1
                default: break
                }
            }
            return nil
        }

        mutating func popStore() -> Int? { stores.isEmpty ? nil : stores.removeFirst() }
    }

    private struct Script {
        private var rest: ArraySlice<UInt8>

        init(_ input: [UInt8]) { rest = input[...] }

        mutating func byte() -> UInt8? { rest.popFirst() }

        mutating func event(_ link: inout Link) -> FTSEngine.Event? {
            guard let kind = byte() else { return nil }
            switch kind & 15 {
            case 0: return .subscribed
            case 1: return .written
            case 2: return .failed(kind & 16 == 0 ? .busy : .notAuthorized)
            case 3: return .timeout(link.timer)
            case 4:
                return link.popStore().map { kind & 16 == 0 ? .stored($0) : .storeFailed($0, reason: "full") }
                    ?? .written
            case 5: return .timeout(Int(kind >> 4))
            default:
                let all = FTSCharacteristic.allCases
                let count = Int(byte() ?? 0)
                let bytes = Array(rest.prefix(count))
                rest = rest.dropFirst(count)
                return .notification(all[Int(kind & 15) % all.count], bytes)
            }
        }
    }

    /// A file of the recorder, and a WAV file.
    static func sound(_ input: [UInt8]) -> String? {
        var whole = RecordDecoder()
        let samples = whole.decode(input) + whole.finish()
        var piecewise = RecordDecoder()
        guard Pieces(input).flatMap({ piecewise.decode($0) }) + piecewise.finish() == samples else {
            return "a record has the same sound however it comes"
        }
        guard whole.descriptor.map({ (1...192_000).contains($0.sampleRate) }) ?? true else { return "a rate is a rate" }
        guard wav(input, Pieces(input)) == wav(input, [input]) else {
            return "a file has the same sound however it comes"
        }
        _ = RecordingName.time(in: String(decoding: input, as: UTF8.self))
        return nil
    }

    private static func wav(_ input: [UInt8], _ pieces: some Sequence<[UInt8]>) -> [Int16]? {
        var reader = WAVReader()
        do throws(WAVError) {
            var samples: [Int16] = []
            for piece in pieces { samples += try reader.read(piece) }
            try reader.finish()
            return samples
        } catch {
            return nil
        }
    }

    /// A firmware package, its init packet, and the answers of a bootloader that gets the image.
    static func firmware(_ input: [UInt8]) -> String? {
        _ = try? FirmwarePackage(zip: input)
        _ = try? InitPacket(input)
        _ = DFUResponse(input)
        var engine = DFUEngine(
            image: .init(target: .application, initPacket: Array(input.prefix(20)), firmware: [1, 2, 3, 4, 5]),
            packetSize: 20)
        var finishCount = 0
        func take(_ actions: [DFUEngine.Action]) {
            finishCount += actions.count { if case .finish = $0 { true } else { false } }
        }
        take(engine.start())
        take(engine.handle(.subscribed))
        var rest = input[...]
        while let count = rest.popFirst() {
            let bytes = Array(rest.prefix(Int(count & 31)))
            rest = rest.dropFirst(bytes.count)
            take(engine.handle(.notification(bytes)))
        }
        take(engine.handle(.disconnected))
        return finishCount == 1 ? nil : "a transfer ends once"
    }

    static func transcript(_ input: [UInt8]) -> String? {
        let engines = [
            try? WhisperTranscript.read(input), try? OpenAITranscript.read(input),
            try? PocketsphinxTranscript.read(input),
        ]
        for transcript in engines.compactMap(\.self) {
            _ = TranscriptWriter.plain(transcript.segments) + TranscriptWriter.subtitles(transcript.segments)
        }
        let stored = TranscriptJSON.transcript(String(decoding: input, as: UTF8.self))
        for transcript in (engines + [stored]).compactMap(\.self) {
            let text = TranscriptJSON.text(transcript)
            guard let again = TranscriptJSON.transcript(text), TranscriptJSON.text(again) == text else {
                return "a transcript is read as it was stored"
            }
        }
        return nil
    }
}
