import Testing
import Text

@testable import WebPush

struct PushMessageTests {
    /// The keys of RFC 8291, appendix A.
    private enum Example {
        static let text = "When I grow up, I want to be a watermelon"
        static let receiver =
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        static let receiverKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
        static let sender = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
        static let senderKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
        static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
        static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
        static let body =
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3j"
            + "l7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    }

    @Test func `the example of RFC 8291 is encrypted byte for byte`() throws {
        let key = try PushKey(pem: pem(Example.senderKey, Example.sender))
        #expect(Base64URL.encode(key.publicKey) == Example.sender)
        let subscription = try PushSubscription(
            endpoint: "https://push.example.net/1", key: bytes(Example.receiver), secret: bytes(Example.secret))
        let body = try PushMessage.body(
            Array(Example.text.utf8) + [2], for: subscription, key: key, salt: bytes(Example.salt))
        #expect(Base64URL.encode(body) == Example.body)
    }

    @Test func `the browser decrypts what was encrypted for it, and the length shows only a step`() throws {
        let receiver = try PushKey(pem: pem(Example.receiverKey, Example.receiver))
        let secret = try bytes(Example.secret)
        let subscription = try PushSubscription(endpoint: "https://a", key: receiver.publicKey, secret: secret)
        var lengths: Set<Int> = []
        for count in [0, 1, 100, 255, 256, 2047, PushMessage.maximumLength] {
            let text = (0..<count).map { UInt8($0 % 251 + 1) }
            let body = try PushMessage.body(text, for: subscription)
            #expect(body.count <= 4096)
            #expect(try decrypted(body, by: receiver, secret) == text)
            lengths.insert(body.count)
        }
        #expect(lengths.count == 4)
        let long = [UInt8](repeating: 1, count: PushMessage.maximumLength + 1)
        #expect(throws: PushFailure.tooLong) { try PushMessage.body(long, for: subscription) }
    }

    @Test func `two messages have nothing in common`() throws {
        let key = try PushKey()
        let subscription = try PushSubscription(
            endpoint: "https://a", key: key.publicKey, secret: [UInt8](repeating: 7, count: 16))
        let (one, other) = (
            try PushMessage.body([1], for: subscription), try PushMessage.body([1], for: subscription)
        )
        #expect(one[..<16] != other[..<16] && one[21..<86] != other[21..<86] && one[86...] != other[86...])
    }

    @Test func `what is no key of a browser is refused`() throws {
        var point = try bytes(Example.receiver)
        point[64] ^= 1
        let secret = try bytes(Example.secret)
        for key in [point, [], [4], [UInt8](repeating: 0, count: 65), Array(point[..<64])] {
            #expect(throws: PushFailure.notAKey) { try PushSubscription(endpoint: "", key: key, secret: secret) }
        }
        let key = try bytes(Example.receiver)
        #expect(throws: PushFailure.notAKey) { try PushSubscription(endpoint: "", key: key, secret: [1]) }
        for pem in ["", "text", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(throws: PushFailure.notAKey) { try PushKey(pem: pem) }
        }
        let key2 = try PushKey()
        #expect(try PushKey(pem: key2.pem).publicKey == key2.publicKey)
    }

    @Test(arguments: ["", "a", "ab", "abc", "\u{ff}\u{fe}"])
    func `base 64 for addresses leads back`(text: String) {
        let encoded = Base64URL.encode(Array(text.utf8))
        #expect(!encoded.contains("="))
        #expect(Base64URL.decode(encoded) == Array(text.utf8))
    }

    @Test(arguments: ["a", "a+bc", "a/bc", "YQ==", "Y Q", "é"])
    func `other texts are not base 64 for addresses`(text: String) { #expect(Base64URL.decode(text) == nil) }

    /// What the browser with a key makes of a body.
    private func decrypted(_ body: [UInt8], by receiver: PushKey, _ secret: [UInt8]) throws -> [UInt8] {
        let sender = Array(body[21..<86])
        let keys = try PushMessage.ContentKeys(
            shared: receiver.secret(with: sender), receiver: receiver.publicKey, sender: sender, secret: secret,
            salt: Array(body[..<16]))
        // In GCM, encrypting twice leads back; the tag is that of the record.
        let record = Array(try keys.seal(Array(body[86...].dropLast(16))).dropLast(16))
        #expect(try keys.seal(record) == Array(body[86...]))
        let end = try #require(record.lastIndex { $0 != 0 })
        #expect(record[end] == 2)
        return Array(record[..<end])
    }

    private func bytes(_ text: String) throws -> [UInt8] { try #require(Base64URL.decode(text)) }

    /// A key as PEM (RFC 5915).
    private func pem(_ key: String, _ point: String) throws -> String {
        let head: [UInt8] = [0x30, 0x77, 0x02, 0x01, 0x01, 0x04, 0x20]
        let curve: [UInt8] = [0xa0, 0x0a, 0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
        let der = try head + bytes(key) + curve + [0xa1, 0x44, 0x03, 0x42, 0x00] + bytes(point)
        return "-----BEGIN EC PRIVATE KEY-----\n\(Base64.encode(der))\n-----END EC PRIVATE KEY-----\n"
    }
}
