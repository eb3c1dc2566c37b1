/// A message of the characteristic for general status.
package enum FTSStatus: Hashable, Sendable {
    case keepAlive
    /// No such file, or, for data, a file that cannot be opened now.
    case fileNotFound(FileID?)
    /// A part of the file system could not be read, or the recorder is using it.
    case fileSystemCorrupt
    case transactionAborted(reason: UInt8?)
    case genericError
    case unknown(UInt8)

    /// The status in a notification; nil for an empty one. The length of the id is that of the firmware's version.
    package init?(_ bytes: [UInt8]) {
        guard let code = bytes.first else { return nil }
        let parameter = Array(bytes.dropFirst())
        switch code {
        case 1: self = .keepAlive
        case 2: self = .fileNotFound(parameter.isEmpty ? nil : FileID(parameter))
        case 3: self = .fileSystemCorrupt
        case 4: self = .transactionAborted(reason: parameter.first)
        case 5: self = .genericError
        default: self = .unknown(code)
        }
    }
}

extension DeviceStorage {
    /// The number of bytes of the report about the memory.
    package static let byteCount = 14

    /// The report in the notifications so far; nil when these are not exactly one.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == DeviceStorage.byteCount, bytes[0] == 14, bytes[1] == 0 else { return nil }
        func number(_ start: Int) -> Int { bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        self.init(free: number(2), occupied: number(6), fileCount: number(10))
    }
}
