/// A check of a recorder whose firmware serves its two built-in test files: the three tests of development mode.
package enum FTSSelfTest: Int, CaseIterable, Sendable {
    /// The list has both files.
    case list = 1
    /// The first file is described and comes byte for byte; the second one cannot be read.
    case files = 2
    /// The memory has the fixed numbers.
    case storage = 3

    /// The ids of the test files, which are not digits.
    package static let ids = [
        FileID(Array(1...8) + Array(1...8)), FileID(Array(1...8) + Array(1...7) + [9]),
    ]
    /// The contents of the first file: two equal blocks, since the firmware does not advance in it.
    package static let contents = (0..<512).map { UInt8($0 % 256 % 255) }
    /// The numbers of the memory.
    package static let expectedStorage = DeviceStorage(free: 4_127_792, occupied: 66_512, fileCount: 2)

    /// Returns what differs from the built-in test, in a few words each, after a connection that must not confirm completion:
    /// the firmware of the test has no answer to that.
    package func problems(in report: FTSReport, received: [FileID: [UInt8]]) -> [String] {
        switch self {
        case .list:
            guard report.version != nil else { return ["no list of files"] }
            return report.listedCount == 2 ? [] : ["\(report.listedCount) files instead of 2"]
        case .files:
            var problems: [String] = []
            if received[FTSSelfTest.ids[0]] != FTSSelfTest.contents {
                problems.append(
                    "the first file has \(received[FTSSelfTest.ids[0]]?.count ?? 0) of 512 bytes, or wrong ones")
            }
            if report.failures.map(\.id) != [FTSSelfTest.ids[1]] { problems.append("the second file is readable") }
            return problems
        case .storage:
            guard let storage = report.storage else { return ["no memory report"] }
            return storage == FTSSelfTest.expectedStorage ? [] : ["wrong memory statistics"]
        }
    }
}
