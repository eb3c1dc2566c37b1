import BigInteger
import Hashing
import Testing

@testable import WebPush

struct ServerIdentificationTests {
    @Test func `head and claims are those of RFC 8292, and the signature is good`() throws {
        let key = try PushKey()
        let value = try ServerIdentification.authorization(
            origin: "https://push.example.net", contact: "mailto:push@example.com",
            now: 1_453_523_768 - ServerIdentification.life, key: key)
        let match = try #require(value.wholeMatch(of: /vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)/))
        #expect(
            match.1 == "eyJ0eXAiOiJKV1QiLCJhbGciOiJFUzI1NiJ9."
                + "eyJhdWQiOiJodHRwczovL3B1c2guZXhhbXBsZS5uZXQiLCJleHAiOjE0NTM1MjM3NjgsInN1YiI6Im1haWx0bzpwdXNoQGV4YW1wbGUuY29tIn0"
        )
        #expect(Base64URL.decode(String(match.3)) == key.publicKey)
        let signature = try #require(Base64URL.decode(String(match.2)))
        #expect(try P256.isGood(signature, of: String(match.1), by: key.publicKey))
        #expect(try !P256.isGood(signature, of: match.1 + "x", by: key.publicKey))
        #expect(try !P256.isGood(signature, of: String(match.1), by: PushKey().publicKey))
    }
}

/// Signatures ES256 checked by the formulas of FIPS 186-5, to have a judge besides libcrypto.
private enum P256 {
    private typealias Point = (x: BigInteger, y: BigInteger, z: BigInteger)

    private static let prime = number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff")
    private static let order = number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    private static let base: Point = (
        number("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
        number("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"), 1
    )

    static func isGood(_ signature: [UInt8], of text: String, by key: [UInt8]) throws -> Bool {
        let (r, s) = (number(signature.prefix(32)), number(signature.dropFirst(32)))
        let point: Point = (number(key[1..<33]), number(key[33...]), 1)
        let inverse = power(s, order - 2, order)
        let first = rest(number(try SHA256.hash(Array(text.utf8))) * inverse, order)
        let sum = add(multiply(base, first), multiply(point, rest(r * inverse, order)))
        let z = power(sum.z, prime - 2, prime)
        return rest(rest(sum.x * z * z, prime), order) == r
    }

    // Jacobian coordinates; the curve has a = -3.
    private static func double(_ p: Point) -> Point {
        guard p.z != 0 else { return p }
        let (zz, yy) = (mod(p.z * p.z), mod(p.y * p.y))
        let (s, m) = (mod(4 * p.x * yy), mod(3 * (p.x - zz) * (p.x + zz)))
        let x = mod(m * m - 2 * s)
        return (x, mod(m * (s - x) - 8 * yy * yy), mod(2 * p.y * p.z))
    }

    private static func add(_ p: Point, _ q: Point) -> Point {
        if p.z == 0 { return q }
        if q.z == 0 { return p }
        let (pp, qq) = (mod(p.z * p.z), mod(q.z * q.z))
        let (u, v) = (mod(p.x * qq), mod(q.x * pp))
        let (s, t) = (mod(p.y * qq * q.z), mod(q.y * pp * p.z))
        if u == v { return s == t ? double(p) : (1, 1, 0) }
        let (h, r) = (mod(v - u), mod(t - s))
        let (hh, uhh) = (mod(h * h), mod(u * h * h))
        let x = mod(r * r - hh * h - 2 * uhh)
        return (x, mod(r * (uhh - x) - s * hh * h), mod(h * p.z * q.z))
    }

    private static func multiply(_ point: Point, _ factor: BigInteger) -> Point {
        bits(factor).reduce((1, 1, 0)) { sum, bit in
            let twice = double(sum)
            return bit ? add(twice, point) : twice
        }
    }

    private static func power(_ number: BigInteger, _ exponent: BigInteger, _ modulus: BigInteger) -> BigInteger {
        bits(exponent).reduce(1) { result, bit in
            let square = rest(result * result, modulus)
            return bit ? rest(square * number, modulus) : square
        }
    }

    /// The bits, the highest first.
    private static func bits(_ number: BigInteger) -> [Bool] {
        var (found, left): ([Bool], BigInteger) = ([], number)
        while left != 0 {
            let half = left.divided(by: 2, rounding: .down)
            found.append(left - half * 2 == 1)
            left = half
        }
        return found.reversed()
    }

    private static func mod(_ number: BigInteger) -> BigInteger { rest(number, prime) }

    private static func rest(_ number: BigInteger, _ modulus: BigInteger) -> BigInteger {
        number - number.divided(by: modulus, rounding: .floor) * modulus
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> BigInteger {
        number(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    private static func number(_ text: String) -> BigInteger { BigInteger(hexadecimal: "0x" + text) ?? 0 }
}
