import CivilDate
import DictofunDomain
import Testing
import Time

struct FileIDTests {
    @Test(arguments: [
        ("0000240521225745", "2024-05-21 22:57:45"), ("0000240021225745", "2024-12-21 22:57:45"),
        ("0000240100000000", "2024-01-31 00:00:00"), ("0000240000235959", "2024-12-31 23:59:59"),
    ])
    func `an id says when the record began`(digits: String, time: String) {
        #expect(FileID(Array(digits.utf8)).startTime?.description == time)
    }

    @Test(arguments: [
        "0000000000000000", "0000240230000000", "0000241301000000", "0000240521245745", "0000240521226045",
        "0000240521225760", "1000240521225745", "0000240200000000", "0000240521 25745", "000024052122574",
    ])
    func `other digits say nothing`(digits: String) {
        #expect(FileID(Array(digits.utf8)).startTime == nil)
    }

    @Test func `only an id of zeros means that there was no time`() {
        #expect(FileID([UInt8](repeating: 0x30, count: 16)).isFallback)
        #expect(FileID([UInt8](repeating: 0, count: 8)).isFallback)
        #expect(!FileID(Array("0000000101000000".utf8)).isFallback)
    }

    @Test func `text gives the same id back`() {
        let ids: [[UInt8]] = [
            Array("0000240521225745".utf8), [1, 2, 3, 4, 5, 6, 7, 8], [0xFF, 0, 0x10, 1, 2, 3, 4, 5],
            [UInt8](repeating: 9, count: 16),
        ]
        for bytes in ids {
            let id = FileID(bytes)
            #expect(FileID(text: id.text) == id)
        }
        #expect(FileID([1, 2, 3, 4, 5, 6, 7, 8]).description == "0x0102030405060708")
        for text in ["", "0x", "24", "0x01020304050607", "0xg102030405060708", "0000240521225745 "] {
            #expect(FileID(text: text) == nil)
        }
    }
}
