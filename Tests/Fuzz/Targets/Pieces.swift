/// An input in pieces, as a stream delivers it.
///
/// The bytes read so far choose the length of the next piece, 1 to 16, so an input is always cut the same way. Short
/// inputs come byte by byte, so that an input that breaks something can be made small.
struct Pieces: Sequence, IteratorProtocol {
    private let input: [UInt8]
    private var position = 0
    /// FNV-1a of the bytes read.
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ input: [UInt8]) { self.input = input }

    mutating func next() -> [UInt8]? {
        guard position < input.count else { return nil }
        let length = input.count <= 96 ? 1 : 1 + Int(hash >> 60)
        let piece = Array(input[position..<Swift.min(position + length, input.count)])
        for byte in piece { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        position += piece.count
        return piece
    }
}
