import Archive
import DictofunDomain
import TestSupport
import Testing

/// What recorders, sound files and firmware packages hold costs no more than its length.
struct ScalingTests {
    @Test(arguments: [Array("adpcm;16000;2\0".utf8), Array("decim;16000;2;3\0".utf8), [1]], [1, 20, 1 << 20])
    func `a record, in pieces of any size`(head: [UInt8], piece: Int) {
        Scaling.expectLinear("a record", size: piece == 1 ? 4000 : 200_000) {
            head + [UInt8](repeating: 0x17, count: $0)
        } _: { bytes in
            var decoder = RecordDecoder()
            for start in stride(from: 0, to: bytes.count, by: piece) {
                _ = decoder.decode(Array(bytes[start..<min(start + piece, bytes.count)]))
            }
            _ = decoder.finish()
        }
    }

    @Test func `the name of a file`() {
        for part in ["2026", "20261120", "9", "_", "20261399_"] {
            Scaling.expectLinear("names of \(part)", size: 4000) {
                String(repeating: part, count: $0)
            } _: {
                _ = RecordingName.time(in: $0)
            }
        }
    }

    @Test func `a list of files comes once, and the descriptions of files are bounded`() {
        // The largest list has 1024 ids, so what grows is the number of lists.
        Scaling.expectLinear("lists", size: 4) {
            $0
        } _: { count in
            for _ in 0..<count {
                var parser = FileListParser(hasContinuation: true)
                _ = try? parser.add([0, 4, 0, 0, 0, 0, 0, 0])
                for _ in 0..<1024 { _ = try? parser.add([UInt8](repeating: 0x30, count: 16)) }
            }
        }
        #expect(throws: FileInfo.Problem.tooLong) {
            try FileInfo([0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 1 << 16))
        }
    }

    @Test func `a firmware package and its init packets`() {
        Scaling.expectLinear("files of a package", size: 100) { count in
            (0..<count).map { ArchiveEntry("\($0).bin", [UInt8](repeating: 1, count: 100)) }
                + [ArchiveEntry("manifest.json", Array(#"{"manifest":{}}"#.utf8))]
        } _: { entries in
            #expect(throws: FirmwarePackage.Problem.self) { try FirmwarePackage(entries: entries) }
        }
        #expect(throws: InitPacket.Malformed.self) { try InitPacket([UInt8](repeating: 0x08, count: 4097)) }
        Scaling.expectLinear("nested fields", size: 60) { count in
            [UInt8](repeating: 0x08, count: count * 8)
        } _: { packet in
            for _ in 0..<100 { _ = try? InitPacket(packet) }
        }
    }
}
