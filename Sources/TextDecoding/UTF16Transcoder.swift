/// Passes UTF-8 through without its byte order mark, and turns UTF-16 of either byte order into UTF-8.
package struct UTF16Transcoder: Sendable {
    private enum Form {
        case unknown
        case bytes
        case utf16(isBigEndian: Bool)
    }

    private var form = Form.unknown
    /// Bytes from which the form is not yet known, half a UTF-16 unit, or a high surrogate without its low one.
    private var pending: [UInt8] = []

    /// The number of bytes of a byte order mark that were omitted before bytes that pass through; nil for UTF-16.
    package private(set) var omittedBytes: Int? = 0

    /// A transcoder at the beginning of a stream.
    package init() {}

    /// Appends `chunk` to `output`, in UTF-8.
    package mutating func feed(_ chunk: [UInt8], to output: inout [UInt8]) {
        switch form {
        case .bytes: output.append(contentsOf: chunk)
        case .utf16(let isBigEndian):
            pending.append(contentsOf: chunk)
            transcode(isBigEndian, to: &output)
        case .unknown:
            pending.append(contentsOf: chunk)
            if pending.count >= 4 { decide(&output) }
        }
    }

    /// Appends what is left at the end of the stream.
    package mutating func finish(_ output: inout [UInt8]) {
        if case .unknown = form { decide(&output) }
        if !pending.isEmpty { output += Array("\u{FFFD}".utf8) }
        pending = []
    }

    private mutating func decide(_ output: inout [UInt8]) {
        if pending.starts(with: [0xEF, 0xBB, 0xBF]) {
            form = .bytes
            pending.removeFirst(3)
            omittedBytes = 3
        } else if pending.starts(with: [0xFE, 0xFF]) || pending.starts(with: [0, 0x42])
            || pending.starts(with: [0, 0x62])
        {
            form = .utf16(isBigEndian: true)
        } else if pending.starts(with: [0xFF, 0xFE]) || pending.starts(with: [0x42, 0])
            || pending.starts(with: [0x62, 0])
        {
            form = .utf16(isBigEndian: false)
        } else {
            form = .bytes
        }
        guard case .utf16(let isBigEndian) = form else {
            output += pending
            pending = []
            return
        }
        omittedBytes = nil
        if pending[0] >= 0xFE { pending.removeFirst(2) }
        transcode(isBigEndian, to: &output)
    }

    private mutating func transcode(_ isBigEndian: Bool, to output: inout [UInt8]) {
        var units: [UInt16] = []
        units.reserveCapacity(pending.count / 2)
        var index = 0
        while index + 1 < pending.count {
            let (first, second) = (UInt16(pending[index]), UInt16(pending[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
            index += 2
        }
        if let last = units.last, last & 0xFC00 == 0xD800 {
            units.removeLast()
            index -= 2
        }
        pending.removeFirst(index)
        output.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    }
}
