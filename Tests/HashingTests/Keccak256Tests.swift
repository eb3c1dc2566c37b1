import Hashing
import Testing

struct Keccak256Tests {
    /// Published vectors of the original Keccak; the last is the signature of ERC-20's transfer event.
    @Test(arguments: [
        ("", "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"),
        ("abc", "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"),
        ("Transfer(address,address,uint256)", "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"),
    ])
    func `published examples come out`(text: String, hash: String) {
        #expect(hex(Keccak256.hash(text.utf8)) == hash)
    }

    /// The padding is one byte at a length of 135, and a block of its own at 136.
    @Test func `lengths around a block differ from each other`() {
        let hashes = (130...140).map { hex(Keccak256.hash([UInt8](repeating: 0x61, count: $0))) }
        #expect(Set(hashes).count == 11)
        #expect(hashes[5] == "34367dc248bbd832f4e3e69dfaac2f92638bd0bbd18f2912ba4ef454919cf446")
        #expect(hashes[6] == "a6c4d403279fe3e0af03729caada8374b5ca54d8065329a3ebcaeb4b60aa386e")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
