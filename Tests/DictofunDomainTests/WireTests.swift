import CivilDate
import DictofunDomain
import TestSupport
import Testing
import Time

struct WireTests {
    private static let id = FileID(Array("0000240521225745".utf8))

    @Test func `requests are an opcode and the id as it came`() {
        #expect(FTSRequest.list.bytes == [1])
        #expect(FTSRequest.info(WireTests.id).bytes == [2] + Array("0000240521225745".utf8))
        #expect(FTSRequest.data(FileID([8, 7, 6, 5, 4, 3, 2, 1])).bytes == [3, 8, 7, 6, 5, 4, 3, 2, 1])
        #expect(FTSRequest.storage.bytes == [4])
        #expect(FTSRequest.receiveComplete.bytes == [6])
    }

    @Test func `characteristics are known by their UUIDs`() {
        #expect(FTSCharacteristic.pairing.uuid == "000010fe-0000-1000-8000-00805f9b34fb")
        #expect(FTSCharacteristic(uuid: "00001003-0000-1000-8000-00805F9B34FB") == .fileList)
        #expect(FTSCharacteristic(uuid: "00001009-0000-1000-8000-00805f9b34fb") == nil)
    }

    @Test func `status messages carry what their length allows`() {
        #expect(FTSStatus([]) == nil)
        #expect(FTSStatus([1]) == .keepAlive)
        #expect(FTSStatus([2]) == .fileNotFound(nil))
        #expect(FTSStatus([2, 1, 2, 3, 4, 5, 6, 7, 8]) == .fileNotFound(FileID([1, 2, 3, 4, 5, 6, 7, 8])))
        #expect(FTSStatus([3, 9]) == .fileSystemCorrupt)
        #expect(FTSStatus([4, 7]) == .transactionAborted(reason: 7))
        #expect(FTSStatus([5]) == .genericError)
        #expect(FTSStatus([77]) == .unknown(77))
    }

    @Test(arguments: [0, 1, 7, 8, 15, 16, 255], [1, 20, 97, 128, 200])
    func `a list is complete by its count, in parts of any size`(count: Int, part: Int) throws {
        let ids = (0..<count).map { FileID(Array("0000240101\(100_000 + $0)".utf8)) }
        var rest = ([UInt8(count), 0, 0, 0, 0, 0, 0, 0] + ids.flatMap(\.bytes))[...]
        var parser = FileListParser(hasContinuation: true)
        while rest.count > part {
            #expect(try parser.add(Array(rest.prefix(part))) == nil)
            rest.removeFirst(part)
        }
        let list = try parser.add(Array(rest))
        #expect(list?.ids == ids)
        #expect(list?.version == .v3)
    }

    @Test func `ids of 8 bytes are those of old firmware`() throws {
        let bytes: [UInt8] = [2, 0, 0, 0, 0, 0, 0, 0] + Array(1...16)
        var first = FileListParser(hasContinuation: false)
        #expect(try first.add(bytes)?.version == .v1)
        var second = FileListParser(hasContinuation: true)
        #expect(try second.add(bytes) == nil)
        let list = try second.settle()
        #expect(list?.version == .v2)
        #expect(list?.ids == [FileID(Array(1...8)), FileID(Array(9...16))])
    }

    @Test func `half of a list of digits is not a list of old firmware`() throws {
        var parser = FileListParser(hasContinuation: true)
        #expect(try parser.add([14, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0x30, count: 112)) == nil)
        #expect(try parser.settle() == nil)
    }

    @Test func `a list that cannot be one is refused`() {
        var parser = FileListParser(hasContinuation: true)
        #expect(throws: FileListParser.Problem.tooManyFiles(0x1_0000_0000)) {
            try parser.add([0, 0, 0, 0, 1, 0, 0, 0])
        }
        parser = FileListParser(hasContinuation: true)
        #expect(throws: FileListParser.Problem.tooManyFiles(1025)) { try parser.add([1, 4, 0, 0, 0, 0, 0, 0]) }
        parser = FileListParser(hasContinuation: true)
        #expect(throws: FileListParser.Problem.tooLong) { try parser.add([UInt8](repeating: 0, count: 9)) }
    }

    @Test func `a description has a size and may have more`() throws {
        func info(_ json: String) throws(FileInfo.Problem) -> FileInfo? {
            try FileInfo([UInt8(json.utf8.count), 0] + Array(json.utf8))
        }
        #expect(try info(#"{"s":20000}"#) == FileInfo(size: 20_000))
        #expect(
            try info(#" {"x":[1], "c":1, "f":16000, "s" : 0 } "#) == FileInfo(size: 0, sampleRate: 16_000, codec: 1))
        #expect(try FileInfo([]) == nil)
        #expect(try FileInfo([5]) == nil)
        #expect(try FileInfo([11, 0, 0x7B]) == nil)
        for json in [#"{"s":-1}"#, #"{"s":1.5}"#, #"{"s":"5"}"#, "{}", "[]", #"{"s":99999999999999999999}"#] {
            #expect(throws: FileInfo.Problem.sizeInvalid) { try info(json) }
        }
        #expect(throws: FileInfo.Problem.self) { try info("{") }
        #expect(throws: FileInfo.Problem.tooLong) { try FileInfo([0xFF, 0xFF]) }
        #expect(throws: FileInfo.Problem.tooLong) { try FileInfo([1, 0, 0x7B, 0x7D]) }
    }

    @Test func `the report about an empty memory is read`() {
        let bytes: [UInt8] = [0x0E, 0, 0, 0xD0, 0xFF, 0, 0, 0x20, 0, 0, 0, 0, 0, 0]
        #expect(DeviceStorage(bytes) == DeviceStorage(free: 0xFFD000, occupied: 0x2000, fileCount: 0))
        #expect(DeviceStorage(Array(bytes.dropLast())) == nil)
        #expect(DeviceStorage([13] + bytes.dropFirst()) == nil)
    }

    @Test func `the time is local time in ten bytes`() throws {
        let day = try #require(CivilDate(year: 2026, month: 11, day: 22))
        let time = LocalTime(day: day, millisecond: ((14 * 60 + 3) * 60 + 59) * 1000 + 500)
        #expect(CurrentTime.bytes(time) == [0xEA, 0x07, 11, 22, 14, 3, 59, 7, 128, 0])
        #expect(CurrentTime.bytes(LocalTime(day: day.adding(days: 1)))[7] == 1)
    }

    @Test func `any bytes are read without harm`() {
        var generator = SeededGenerator(seed: 44)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...40, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            if Bool.random(using: &generator), bytes.count > 8 {
                bytes.replaceSubrange(1..<8, with: [0, 0, 0, 0, 0, 0, 0])
            }
            var parser = FileListParser(hasContinuation: Bool.random(using: &generator))
            if let list = try? parser.add(bytes) { #expect(list.ids.count * list.version.idSize + 8 == bytes.count) }
            _ = try? parser.settle()
            _ = try? FileInfo(bytes)
            _ = DeviceStorage(bytes)
            _ = FTSStatus(bytes)
            _ = FileID(bytes).startTime
            _ = RecordDescriptor(bytes)
        }
    }
}
