import DictofunDomain
import TestSupport
import Testing

struct FTSEngineTests {
    typealias StoredFile = ScriptedRecorder.StoredFile

    static func id(_ number: Int) -> [UInt8] { Array("0000240101\(100_000 + number)".utf8) }

    static func files(_ sizes: [Int], seed: UInt64 = 9) -> [StoredFile] {
        var generator = SeededGenerator(seed: seed)
        return sizes.enumerated().map { number, size in
            StoredFile(id: id(number), data: (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
    }

    /// Expects that a run fetched every file, byte for byte.
    static func expectComplete(
        _ result: ScriptedRecorder.Result, _ files: [StoredFile], location: SourceLocation = #_sourceLocation
    ) {
        #expect(result.violations == [], sourceLocation: location)
        #expect(result.report?.outcome == .complete, sourceLocation: location)
        #expect(result.report?.stored.map(\.bytes) == files.map(\.id), sourceLocation: location)
        for (number, file) in files.enumerated() {
            #expect(result.stored[number] == file.data, sourceLocation: location)
        }
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 255])
    func `a list of any length is fetched, and then completion is told`(count: Int) {
        let files = FTSEngineTests.files([Int](repeating: 64, count: count))
        var recorder = ScriptedRecorder(files)
        let result = recorder.run()
        FTSEngineTests.expectComplete(result, files)
        #expect(result.requests.first == [1])
        #expect(Array(result.requests.suffix(2)) == [[4], [6]])
        #expect(result.requests.count == 3 + 2 * count)
        #expect(result.report?.storage == DeviceStorage(free: 0xFFD000, occupied: 0x2000, fileCount: 0))
    }

    @Test(arguments: [23, 48, 100, 131, 203, 247])
    func `answers are put together by their bytes at any MTU`(mtu: Int) {
        let files = FTSEngineTests.files([64, 200, 256, 264, 20_032, 0, 1] + [Int](repeating: 64, count: 20))
        var recorder = ScriptedRecorder(files)
        recorder.mtu = mtu
        FTSEngineTests.expectComplete(recorder.run(), files)
    }

    @Test func `everything is subscribed to before the first request`() {
        var engine = FTSEngine(characteristics: Set(FTSCharacteristic.allCases), inventory: .init())
        var order: [FTSCharacteristic] = []
        var actions = engine.start()
        while case .subscribe(let characteristic)? = actions.first {
            order.append(characteristic)
            actions = engine.handle(.subscribed)
        }
        #expect(order == [.status, .fileList, .fileListNext, .fileInfo, .storage, .fileData])
        #expect(actions.first == .write([1]))
    }

    @Test func `an empty file is kept without asking for its data`() {
        let files = FTSEngineTests.files([0, 64])
        var recorder = ScriptedRecorder(files)
        let result = recorder.run()
        FTSEngineTests.expectComplete(result, files)
        #expect(!result.requests.contains([3] + FTSEngineTests.id(0)))
    }

    @Test func `files that are here or in the trash are not asked for`() {
        let files = FTSEngineTests.files([64, 128, 192])
        var recorder = ScriptedRecorder(files)
        let known = FTSEngine.Inventory(ids: [FileID(files[0].id), FileID(files[2].id)])
        let result = recorder.run(inventory: known)
        #expect(result.violations == [])
        #expect(result.report?.outcome == .complete)
        #expect(result.report?.stored == [FileID(files[1].id)])
        #expect(result.requests == [[1], [2] + files[1].id, [3] + files[1].id, [4], [6]])
        let second = recorder.run(inventory: .init(ids: Set(files.map { FileID($0.id) })))
        #expect(second.requests == [[1], [4], [6]])
    }

    @Test func `an id listed twice is fetched once`() {
        var files = FTSEngineTests.files([64, 128, 192])
        files[2].id = files[0].id
        var recorder = ScriptedRecorder(files)
        let result = recorder.run()
        FTSEngineTests.expectComplete(result, Array(files[..<2]))
        #expect(result.report?.duplicates == [FileID(files[0].id)])
        #expect(result.report?.listedCount == 3)
    }

    @Test func `the id of a recorder without a clock is told apart by its size`() {
        var files = FTSEngineTests.files([128])
        files[0].id = [UInt8](repeating: 0x30, count: 16)
        var recorder = ScriptedRecorder(files)
        let known: Set<FileID> = [FileID(files[0].id)]
        let other = recorder.run(inventory: .init(ids: known, fallbackSizes: [64]))
        FTSEngineTests.expectComplete(other, files)
        let same = recorder.run(inventory: .init(ids: known, fallbackSizes: [128]))
        #expect(same.report?.outcome == .complete)
        #expect(same.report?.stored == [])
        #expect(same.requests.map { $0[0] } == [1, 2, 4, 6])
    }

    @Test func `old firmware is understood by the size of its ids`() {
        let files = (1...14).map { StoredFile(id: [UInt8($0), 2, 3, 4, 5, 6, 7, 0xFF], data: [UInt8($0), 9]) }
        for version in [FTSVersion.v1, .v2] {
            var recorder = ScriptedRecorder(files)
            recorder.version = version
            let result = recorder.run()
            FTSEngineTests.expectComplete(result, files)
            #expect(result.report?.version == version)
            // It has no request to tell completion.
            #expect(!result.requests.contains([6]))
        }
    }

    @Test func `a file that is gone counts as done, one that cannot be opened does not`() {
        var files = FTSEngineTests.files([64, 128, 192])
        files[0].isGone = true
        var recorder = ScriptedRecorder(files)
        let gone = recorder.run()
        #expect(gone.report?.outcome == .complete)
        #expect(gone.report?.gone == [FileID(files[0].id)])
        recorder.files[1].isLocked = true
        let locked = recorder.run()
        #expect(locked.violations == [])
        #expect(locked.report?.outcome == .incomplete)
        #expect(locked.report?.stored == [FileID(files[2].id)])
        #expect(locked.report?.failures.map(\.id) == [FileID(files[1].id)])
        #expect(locked.report?.failures.map(\.reason) == [.unavailable])
        #expect(!locked.requests.contains([6]))
        #expect(locked.requests.count { $0.first == 3 } == 2)
    }

    @Test func `a corrupt file does not stop the others`() {
        var files = FTSEngineTests.files([64, 128, 192])
        files[1].isCorrupt = true
        var recorder = ScriptedRecorder(files)
        let result = recorder.run()
        #expect(result.report?.outcome == .incomplete)
        #expect(result.stored[0] == files[0].data && result.stored[2] == files[2].data)
        #expect(result.report?.failures.map(\.reason) == [.fileSystemCorrupt])
    }

    @Test func `a recorder that answers nothing is left after a few requests`() {
        var recorder = ScriptedRecorder(FTSEngineTests.files([64]))
        recorder.faults.droppedRequest = 1000
        let result = recorder.run()
        #expect(result.report?.outcome == .listFailed(.timeout))
        #expect(result.requests == [[1], [1], [1]])
        var locked = ScriptedRecorder(FTSEngineTests.files([Int](repeating: 64, count: 50)))
        for number in locked.files.indices { locked.files[number].isLocked = true }
        let stuck = locked.run()
        #expect(stuck.report?.outcome == .unresponsive(.unavailable))
        #expect(stuck.requests.count { $0.first == 3 } == FTSEngine.maximumFailureCount)
    }

    @Test func `a file of another size than its description is an error`() {
        for size in [63, 65, 600] {
            var files = FTSEngineTests.files([64, 64])
            files[0].info = "{\"s\":\(size)}"
            var recorder = ScriptedRecorder(files)
            let result = recorder.run()
            #expect(result.violations == [])
            #expect(result.report?.outcome == .incomplete)
            #expect(result.stored[0] == nil)
            #expect(result.stored[1] == files[1].data)
            #expect(result.requests.count { $0 == [3] + files[0].id } == FTSEngine.maximumAttemptCount)
        }
    }

    @Test func `with a low battery nothing is asked, or nothing more`() {
        let files = FTSEngineTests.files([20_000, 20_000])
        var recorder = ScriptedRecorder(files)
        let silent = recorder.run(battery: BatteryLevel(percent: 12))
        #expect(silent.report?.outcome == .lowBattery)
        #expect(silent.requests == [] && silent.subscribed == [])
        recorder.scheduled = [(500, .battery(BatteryLevel(percent: 0)!))]
        let stopped = recorder.run(battery: BatteryLevel(percent: 24))
        #expect(stopped.violations == [])
        #expect(stopped.report?.outcome == .lowBattery)
        #expect(stopped.stored == [:])
        recorder.scheduled = [(500, .battery(BatteryLevel(percent: 24)!))]
        FTSEngineTests.expectComplete(recorder.run(), files)
    }

    @Test func `a cancelled transfer ends at once`() {
        var recorder = ScriptedRecorder(FTSEngineTests.files([20_000, 20_000]))
        recorder.scheduled = [(500, .cancelled)]
        let result = recorder.run()
        #expect(result.violations == [])
        #expect(result.report?.outcome == .cancelled)
        #expect(!result.requests.contains([6]))
    }

    @Test func `a full disk ends the transfer and is not told as completion`() {
        var recorder = ScriptedRecorder(FTSEngineTests.files([1000, 1000, 1000]))
        recorder.diskSize = 1500
        let result = recorder.run()
        #expect(result.violations == [])
        #expect(result.report?.outcome == .storeFailed("disk full"))
        #expect(result.report?.stored == [FileID(FTSEngineTests.id(0))])
        #expect(!result.requests.contains([6]))
    }

    @Test func `a device without the service's parts is refused`() {
        var engine = FTSEngine(characteristics: [.controlPoint, .fileList], inventory: .init())
        #expect(engine.start().first == .disconnect)
        guard case .finish(let report, let holdOff)? = engine.handle(.disconnected).last else {
            Issue.record("the engine does not end")
            return
        }
        #expect(report.outcome == .unsupported(missing: [.fileInfo, .fileData, .status]))
        #expect(holdOff == .seconds(10))
    }

    @Test func `the built-in test files are fetched and completion is not told`() {
        let block = (0..<256).map { UInt8($0 % 255) }
        let (first, second): ([UInt8], [UInt8]) = (Array(1...8) + Array(1...8), Array(1...8) + Array(1...7) + [9])
        var recorder = ScriptedRecorder([
            StoredFile(id: first, data: block + block, info: #"{"s":512,"f":16000,"c":0}"#),
            StoredFile(id: second, data: [], isCorrupt: true),
        ])
        let result = recorder.run(tellsCompletion: false)
        #expect(result.violations == [])
        #expect(result.stored == [0: block + block])
        #expect(result.files[0]?.info == FileInfo(size: 512, sampleRate: 16_000, codec: 0))
        #expect(result.report?.outcome == .incomplete)
        #expect(!result.requests.contains([6]))
    }

    @Test func `progress counts files and bytes`() {
        var engine = FTSEngine(
            characteristics: Set(FTSCharacteristic.allCases), inventory: .init(ids: [FileID(FTSEngineTests.id(1))]))
        #expect(engine.progress.operation == .connecting)
        _ = engine.start()
        for _ in 0..<6 { _ = engine.handle(.subscribed) }
        #expect(engine.progress.operation == .listing)
        _ = engine.handle(.written)
        _ = engine.handle(
            .notification(.fileList, [2, 0, 0, 0, 0, 0, 0, 0] + FTSEngineTests.id(0) + FTSEngineTests.id(1)))
        #expect(engine.progress.operation == .describing)
        #expect(engine.progress.newCount == 1)
        // The pause before the description is the timer that runs now.
        #expect(FTSEngineTests.fireTimer(&engine).first == .write([2] + FTSEngineTests.id(0)))
        _ = engine.handle(.written)
        _ = engine.handle(.notification(.fileInfo, [9, 0] + Array(#"{"s":640}"#.utf8)))
        #expect(engine.progress.totalBytes == 640)
        #expect(FTSEngineTests.fireTimer(&engine).contains(.write([3] + FTSEngineTests.id(0))))
        #expect(engine.progress.operation == .receiving(FileID(FTSEngineTests.id(0))))
        _ = engine.handle(.written)
        _ = engine.handle(.notification(.fileData, [UInt8](repeating: 5, count: 200)))
        #expect(engine.progress.receivedBytes == 200)
        #expect(engine.progress.receivedCount == 0)
    }

    /// Lets the engine's only timer run out.
    private static func fireTimer(_ engine: inout FTSEngine) -> [FTSEngine.Action] {
        for number in 0...40 {
            let actions = engine.handle(.timeout(number))
            if !actions.isEmpty { return actions }
        }
        return []
    }
}
