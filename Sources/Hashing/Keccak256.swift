/// The hash function Keccak-256 as Ethereum uses it: the original padding, which differs from that of SHA3-256 (FIPS 202),
/// so libcrypto has no function for it.
///
/// It names addresses and checks their spelling; nothing secret passes through it.
package enum Keccak256 {
    /// The size of a hash in bytes.
    package static let size = 32

    /// The number of bytes that are absorbed at once: 1600 bits less twice the size of the hash.
    private static let rate = 136

    /// Returns the 32 bytes of the hash of `message`.
    package static func hash(_ message: some Sequence<UInt8>) -> [UInt8] {
        var bytes = Array(message)
        bytes.append(0x01)
        bytes += [UInt8](repeating: 0, count: (rate - bytes.count % rate) % rate)
        bytes[bytes.count - 1] |= 0x80
        var state = [UInt64](repeating: 0, count: 25)
        for start in stride(from: 0, to: bytes.count, by: rate) {
            for lane in 0..<rate / 8 {
                for byte in 0..<8 {
                    state[lane] ^= UInt64(bytes[start + lane * 8 + byte]) << UInt64(byte * 8)
                }
            }
            permute(&state)
        }
        return (0..<size).map { UInt8(truncatingIfNeeded: state[$0 / 8] >> UInt64($0 % 8 * 8)) }
    }

    /// The permutation Keccak-f[1600]: 24 rounds of θ, ρ and π, χ, ι.
    private static func permute(_ state: inout [UInt64]) {
        var columns = [UInt64](repeating: 0, count: 5)
        for constant in roundConstants {
            for x in 0..<5 { columns[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20] }
            for x in 0..<5 {
                let mixed = columns[(x + 4) % 5] ^ rotated(columns[(x + 1) % 5], by: 1)
                for y in stride(from: 0, to: 25, by: 5) { state[x + y] ^= mixed }
            }
            var moved = state[1]
            for (lane, distance) in zip(lanes, rotations) {
                (state[lane], moved) = (rotated(moved, by: distance), state[lane])
            }
            for y in stride(from: 0, to: 25, by: 5) {
                for x in 0..<5 { columns[x] = state[y + x] }
                for x in 0..<5 { state[y + x] = columns[x] ^ ~columns[(x + 1) % 5] & columns[(x + 2) % 5] }
            }
            state[0] ^= constant
        }
    }

    private static func rotated(_ lane: UInt64, by distance: UInt64) -> UInt64 {
        lane << distance | lane >> (64 - distance)
    }

    /// The path of π through the lanes, from lane 1.
    private static let lanes: [Int] = [
        10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1,
    ]
    /// The rotations of ρ along that path: the triangular numbers modulo 64.
    private static let rotations: [UInt64] = (1...24).map { UInt64($0 * ($0 + 1) / 2 % 64) }
    /// The constants of ι, from a shift register of 8 bits that yields one bit for each power of two in a lane.
    private static let roundConstants: [UInt64] = {
        var register: UInt8 = 1
        return (0..<24).map { _ in
            (0..<7).reduce(0) { constant, power in
                let bit = UInt64(register & 1)
                register = register << 1 ^ (register & 0x80 == 0 ? 0 : 0x71)
                return constant | bit << ((1 << UInt64(power)) - 1)
            }
        }
    }()
}
