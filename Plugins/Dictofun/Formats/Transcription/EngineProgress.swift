/// Reads the progress that engines write to standard error: the last percentage of a line, such as `progress =  35%` of whisper.cpp or
/// ` 12%|█▏` of Python's tqdm.
package struct EngineProgress: Sendable {
    private var line: [UInt8] = []
    /// The bytes of a line that are kept; a bar may follow the number.
    private static let maximumLength = 256

    package init() {}

    /// Returns the finished share, 0...1, that the next bytes tell last; nil when they tell none.
    package mutating func read(_ bytes: [UInt8]) -> Double? {
        var share: Double?
        for byte in bytes {
            if byte == 0x0A || byte == 0x0D {
                share = Self.percentage(in: line) ?? share
                line = []
            } else if line.count < Self.maximumLength {
                line.append(byte)
            }
        }
        return share
    }

    /// The share that the last percentage in a line stands for; nil without one.
    package static func percentage(in line: some BidirectionalCollection<UInt8>) -> Double? {
        guard let sign = line.lastIndex(of: UInt8(ascii: "%")) else { return nil }
        let digits = line[..<sign].reversed().prefix { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        guard let number = Double(String(decoding: digits.reversed(), as: UTF8.self)), (0...100).contains(number) else {
            return nil
        }
        return number / 100
    }
}
