import Archive
import TestSupport
import Testing

struct ScalingTests {
    private static func archive(_ count: Int, _ bytes: [UInt8]) throws -> [UInt8] {
        let writer = try ZipWriter()
        for number in 0..<count { try writer.add(ArchiveEntry("folder/file \(number)", bytes)) }
        try writer.finish()
        return writer.take()
    }

    @Test func `an archive of many files`() throws {
        let archives = try [100, 800].map { ($0, try Self.archive($0, [1, 2, 3])) }
        Scaling.expectLinear("files", size: 100) { count in
            archives.first { $0.0 == count }?.1 ?? []
        } _: {
            _ = try? ZipReader.read($0)
        }
        Scaling.expectLinear("files of an archive that is cut off", size: 100) { count in
            archives.first { $0.0 == count }?.1.dropLast(30).map(\.self) ?? []
        } _: {
            _ = try? ZipReader.read($0)
        }
    }

    @Test(arguments: ["PK\u{3}\u{4}", "PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK", "\0", "a"])
    func `what only looks like an archive`(part: String) {
        Scaling.expectLinear(part, size: 8000) {
            repeated(part, $0, after: "PK\u{3}\u{4}")
        } _: {
            _ = try? ZipReader.read($0)
        }
    }
}
