import ContactsDomain
import Testing

struct PhoneNumberTests {
    @Test(arguments: [
        ("+48 601 234 567", "PL", "+48601234567"), ("601 234 567", "PL", "+48601234567"),
        ("0048601234567", "DE", "+48601234567"), ("0171 2345678", "DE", "+491712345678"),
        ("+49 (0)171 2345678", "PL", "+491712345678"), ("(206) 555-0100", "US", "+12065550100"),
        ("1-206-555-0100", "US", "+12065550100"), ("011 48 601 234 567", "US", "+48601234567"),
        ("06 555 0199 1", "IT", "+39065550199" + "1"), ("8 (916) 123-45-67", "RU", "+79161234567"),
        ("tel:+1-206-555-0100;ext=5", "PL", "+12065550100"), ("٠١٧١ ٢٣٤٥٦٧٨", "DE", "+491712345678"),
        ("＋48 601234567", "DE", "+48601234567"), ("020 7946 0000,,123", "GB", "+442079460000"),
    ])
    func `numbers get their country code`(text: String, region: String, e164: String) {
        #expect(PhoneNumber(text, region: CallingCode(region: region)).e164 == e164)
    }

    @Test(arguments: ["112", "12345", "0171 2345678", "+999 1234567", "", "+1", "+12345678901234567", "hello"])
    func `without a region or a sane length there is none`(text: String) {
        #expect(PhoneNumber(text).e164 == nil)
    }

    @Test(arguments: [
        ("(206) 555-0101 x12", "2065550101", "12"), ("555 0100 ext. 34", "5550100", "34"),
        ("5550100;ext=7", "5550100", "7"),
        ("5550100p99", "5550100", "99"), ("+1 (206) 555", "1206555", ""), ("1-800-FLOWERS", "1800", ""),
    ])
    func `the extension is cut off`(text: String, digits: String, extension: String) {
        let number = PhoneNumber(text)
        #expect(number.digits == digits)
        #expect(number.extension == `extension`)
    }

    @Test(
        arguments: [
            ("+48 601 234 567", "601234567", .certain), ("0171 2345678", "+49 171 2345678", .certain),
            ("+48 601 234 567", "+49 601 234 567", .none), ("555 0100", "206 555 0100", .possible),
            ("112", "112", .certain), ("112", "44112", .none), ("5550100", "5550101", .none), ("", "", .none),
            ("2345678", "+49 171 2345678", .possible),
        ] as [(String, String, PhoneNumber.Match)])
    func `two numbers are compared from the right`(left: String, right: String, match: PhoneNumber.Match) {
        #expect(PhoneNumber(left).match(PhoneNumber(right)) == match)
        #expect(PhoneNumber(right).match(PhoneNumber(left)) == match)
    }

    @Test func `hostile text is bounded`() {
        let number = PhoneNumber(String(repeating: "1", count: 1_000_000))
        #expect(number.digits.count == PhoneNumber.maximumDigits)
        #expect(number.e164 == nil)
    }

    @Test func `no country code begins another`() {
        for first in 1...999 where CallingCode.prefix(of: "\(first)5550100") != nil {
            let code = CallingCode.prefix(of: "\(first)5550100") ?? ""
            for length in 1..<max(1, code.count) { #expect(CallingCode.prefix(of: code.prefix(length)) == nil) }
        }
    }
}
