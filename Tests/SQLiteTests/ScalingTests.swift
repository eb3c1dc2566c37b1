import SQLite
import TestSupport
import Testing

struct ScalingTests {
    @Test func `a changeset of many changes and tables`() throws {
        let table: [UInt8] = [0x54, 2, 1, 0, 97, 0]
        let insert: [UInt8] = [18, 0, 1, 0, 0, 0, 0, 0, 0, 0, 7, 3, 1, 120]
        for part in [insert, insert + table] {
            try Scaling.expectLinear("\(part.count) bytes", size: 166) { count in
                Changeset(bytes: table + [[UInt8]](repeating: part, count: count).joined())
            } _: { changeset in
                try changeset.forEach { _ = ($0.key, $0.new(1), $0.old(0)) }
                _ = try changeset.filter { _ in true }
            }
        }
    }
}
