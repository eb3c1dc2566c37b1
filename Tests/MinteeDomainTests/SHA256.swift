/// SHA-256 (FIPS 180-4), to compare long lists of dates with the digests of the vectors.
enum SHA256 {
    /// The first 16 hexadecimal digits of the digest of `text`.
    static func prefix(of text: String) -> String {
        var state: [UInt32] = fractions(of: 8, root: 2)
        let constants = fractions(of: 64, root: 3)
        for block in blocks(Array(text.utf8)) { compress(block, &state, constants) }
        return state.prefix(2).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func blocks(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var padded = bytes + [0x80]
        while padded.count % 64 != 56 { padded.append(0) }
        padded += (0..<8).map { UInt8(truncatingIfNeeded: UInt64(bytes.count * 8) >> UInt64(56 - 8 * $0)) }
        return stride(from: 0, to: padded.count, by: 64).map { padded[$0..<$0 + 64] }
    }

    private static func compress(_ block: ArraySlice<UInt8>, _ state: inout [UInt32], _ constants: [UInt32]) {
        func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<64 {
            let (near, far) = (words[index - 15], words[index - 2])
            let first = turn(near, 7) ^ turn(near, 18) ^ near >> 3
            let second = turn(far, 17) ^ turn(far, 19) ^ far >> 10
            words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
        }
        var w = state
        for index in 0..<64 {
            let sum = turn(w[4], 6) ^ turn(w[4], 11) ^ turn(w[4], 25)
            let choice = w[4] & w[5] ^ ~w[4] & w[6]
            let first = w[7] &+ sum &+ choice &+ constants[index] &+ words[index]
            let other = turn(w[0], 2) ^ turn(w[0], 13) ^ turn(w[0], 22)
            let majority = w[0] & w[1] ^ w[0] & w[2] ^ w[1] & w[2]
            w = [first &+ other &+ majority, w[0], w[1], w[2], w[3] &+ first, w[4], w[5], w[6]]
        }
        for index in state.indices { state[index] &+= w[index] }
    }

    /// The first 32 bits of the fractions of the square or cube roots of the first primes, by exact search.
    private static func fractions(of count: Int, root: Int) -> [UInt32] {
        var primes: [UInt64] = []
        var candidate: UInt64 = 2
        while primes.count < count {
            if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
            candidate += 1
        }
        return primes.map { prime in
            // The largest r with (r / 2^32)^root <= prime.
            var (low, high) = (UInt64(1) << 32, UInt64(1) << 37)
            while high - low > 1 {
                let middle = (low + high) / 2
                if isAtMost(middle, prime, root: root) { low = middle } else { high = middle }
            }
            return UInt32(truncatingIfNeeded: low)
        }
    }

    private static func isAtMost(_ value: UInt64, _ prime: UInt64, root: Int) -> Bool {
        let wide = (0..<root).reduce(UInt128(1)) { product, _ in product * UInt128(value) }
        return wide <= UInt128(prime) << UInt128(32 * root)
    }
}
