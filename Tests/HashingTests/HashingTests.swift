import Hashing
import Testing

struct SHA256Tests {
    /// Vectors of FIPS 180-4 and of NIST's long-message tests; lengths around the padding's edges are checked by the
    /// hash of their hashes, as Python's hashlib gives it.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `the standard's examples come out`(text: String, hash: String) throws {
        #expect(hex(try SHA256.hash(text.utf8)) == hash)
    }

    @Test func `every length up to three blocks comes out`() throws {
        let hashes = try (0...192).flatMap { try SHA256.hash(Array(repeating: UInt8(ascii: "x"), count: $0)) }
        #expect(hex(try SHA256.hash(hashes)) == "78f583891c90f00e11c28b6cb4048bad529a50213a5a1f2b89ef4697a8eecf48")
    }

    @Test func `parts give the hash of the whole`() throws {
        var hash = try SHA256()
        for part in ["ab", "", "c"] { try hash.add(Array(part.utf8)) }
        #expect(try hash.finish() == SHA256.hash("abc".utf8))
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

struct FNV1aTests {
    /// Vectors of Fowler, Noll and Vo.
    @Test(arguments: [
        ("", 0xcbf2_9ce4_8422_2325 as UInt64), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
    ])
    func `the authors' examples come out`(text: String, hash: UInt64) {
        #expect(FNV1a.hash(text.utf8) == hash)
    }

    @Test func `the hash of 128 bits agrees with the authors' example`() {
        #expect(FNV1a128.hash("foobar".utf8) == 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18)
    }

    @Test func `a seed gives another hash, and leading zeros are kept`() {
        var hash = FNV1a(seed: 1)
        hash.add("a".utf8)
        #expect(hash.value != FNV1a.hash("a".utf8))
        hash.value = 0xab
        #expect(hash.hexadecimal == "00000000000000ab")
    }
}

struct CRC32Tests {
    /// The check value of the catalogue of parametrised CRC algorithms, and what Python's zlib gives.
    @Test(arguments: [
        ("", 0), ("123456789", 0xCBF4_3926), ("The quick brown fox jumps over the lazy dog", 0x414F_A339),
    ])
    func `the known examples come out`(text: String, checksum: UInt32) {
        #expect(CRC32.hash(text.utf8) == checksum)
        var parts = CRC32()
        for byte in text.utf8 { parts.add([byte]) }
        #expect(parts.value == checksum)
    }
}

struct MD5Tests {
    /// The examples of RFC 1321.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
        (String(repeating: "1234567890", count: 8), "57edf4a22be3c955ac49da2e2107b67a"),
    ])
    func `the examples of the RFC come out`(text: String, hash: String) throws {
        #expect(try MD5.hexadecimal(Array(text.utf8)) == hash)
    }
}
