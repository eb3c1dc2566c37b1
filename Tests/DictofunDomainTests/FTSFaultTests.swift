import DictofunDomain
import TestSupport
import Testing

/// Whatever a recorder or a link does: every file that was stored is equal to the one on the device, completion is told only
/// when all are durable, and the number of steps grows with the work.
struct FTSFaultTests {
    @Test(arguments: (0..<300).map { UInt64($0) })
    func `with random faults a run ends with equal bytes or an error`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed &* 7919)
        func chance(_ most: Int) -> Int {
            Bool.random(using: &generator) ? 0 : Int.random(in: 0...most, using: &generator)
        }
        let sizes = (0..<Int.random(in: 0...12, using: &generator)).map { _ in
            Int.random(in: 0...40, using: &generator) * 64
        }
        let files = FTSEngineTests.files(sizes, seed: seed)
        var recorder = ScriptedRecorder(files, seed: seed)
        recorder.mtu = Int.random(in: 23...247, using: &generator)
        recorder.faults = .init(
            skippedPacket: chance(20), duplicatedPacket: chance(20), droppedRequest: chance(200),
            corruptAnswer: chance(200), keepAlive: chance(50), linkError: chance(100), emptyNotification: chance(10),
            disconnect: chance(5), lateAcknowledgement: chance(300), noise: chance(100))
        // One notification lost and another one doubled in one file cannot be told from the truth by anyone.
        if recorder.faults.skippedPacket > 0 { recorder.faults.duplicatedPacket = 0 }
        var held: [FileID: [UInt8]] = [:]
        for _ in 0..<4 {
            let result = recorder.run(inventory: .init(ids: Set(held.keys)), stepLimit: 60_000)
            #expect(result.violations == [])
            #expect(result.requests.count <= FTSEngine.maximumAttemptCount * (3 + 2 * files.count))
            for (number, bytes) in result.stored {
                let id = result.files[number].map(\.id)
                #expect(files.first { FileID($0.id) == id }?.data == bytes)
                if let id {
                    #expect(held[id] == nil)
                    held[id] = bytes
                }
            }
            if result.requests.contains([6]) { #expect(held.count == files.count) }
            if result.report?.outcome == .complete { #expect(held.count == files.count) }
        }
        // Once the faults are gone, the rest is fetched.
        recorder.faults = .init()
        let last = recorder.run(inventory: .init(ids: Set(held.keys)))
        #expect(last.report?.outcome == .complete)
        #expect(held.count + last.stored.count == files.count)
    }

    @Test(arguments: [23, 247])
    func `a link that ends at any notification loses nothing`(mtu: Int) {
        let files = FTSEngineTests.files([640, 0, 1000, 64])
        for cut in 0..<200 {
            var recorder = ScriptedRecorder(files)
            recorder.mtu = mtu
            recorder.notificationsBeforeCut = cut
            let first = recorder.run()
            #expect(first.violations == [])
            for (number, bytes) in first.stored { #expect(bytes == files[number].data) }
            if first.report?.outcome == .complete {
                #expect(first.stored.count == 4)
                return
            }
            #expect(first.report?.outcome == .interrupted)
            recorder.notificationsBeforeCut = nil
            let second = recorder.run(inventory: .init(ids: Set(first.report?.stored ?? [])))
            #expect(second.report?.outcome == .complete)
            #expect(first.stored.count + second.stored.count == 4)
        }
        Issue.record("no run was complete")
    }

    @Test func `random events in any order end, and never store what did not come`() {
        for seed in 0..<400 as Range<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var engine = FTSEngine(characteristics: Set(FTSCharacteristic.allCases), inventory: .init())
            var (size, received, began) = ([Int: Int](), 0, -1)
            var actionCount = engine.start().count
            for _ in 0..<400 where !engine.isFinished {
                let event: FTSEngine.Event
                switch Int.random(in: 0..<9, using: &generator) {
                case 0: event = .subscribed
                case 1: event = .written
                case 2: event = .failed(.busy)
                case 3: event = .timeout(Int.random(in: 0...60, using: &generator))
                case 4: event = .stored(Int.random(in: -1...2, using: &generator))
                case 5: event = .storeFailed(Int.random(in: 0...2, using: &generator), reason: "full")
                case 6: event = Int.random(in: 0..<60, using: &generator) == 0 ? .disconnected : .written
                case 7:
                    let list: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0] + FTSEngineTests.id(0) + FTSEngineTests.id(1)
                    event = .notification(.fileList, list)
                default:
                    let characteristic = FTSCharacteristic.allCases.randomElement(using: &generator) ?? .status
                    let bytes = characteristic == .fileInfo ? [8, 0] + Array(#"{"s":40}"#.utf8) : [3, 0, 40]
                    event = .notification(characteristic, bytes)
                }
                let actions = engine.handle(event)
                actionCount += actions.count
                for action in actions {
                    switch action {
                    case .begin(let file): (size[file.number], began, received) = (file.info.size, file.number, 0)
                    case .append(let bytes): received += bytes.count
                    case .store(let number): #expect(number == began && received == size[number])
                    default: break
                    }
                }
            }
            #expect(actionCount <= 400 * 4)
        }
    }

    @Test func `the work is linear in the bytes and in the files`() {
        Scaling.expectLinear("one file", size: 100_000) {
            FTSEngineTests.files([$0])
        } _: {
            var recorder = ScriptedRecorder($0)
            _ = recorder.run(stepLimit: .max)
        }
        Scaling.expectLinear("files", size: 100) {
            FTSEngineTests.files([Int](repeating: 64, count: $0))
        } _: {
            var recorder = ScriptedRecorder($0)
            _ = recorder.run(stepLimit: .max)
        }
    }
}
