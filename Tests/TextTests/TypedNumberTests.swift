import JSON
import TestSupport
import Testing
import Text

struct TypedNumberTests {
    private func read(_ text: String, _ locale: String?) -> String {
        do throws(TypedNumber.Problem) {
            return try TypedNumber(text, DecimalMark(locale: locale)).text
        } catch {
            return error.hint ?? "no number"
        }
    }

    @Test(arguments: [
        ("1234.5", "1234.5"), ("0.123", "0.123"), ("42.123", "42.123"), ("100,000.5", "100000.5"),
        ("1,000,000", "1000000"), ("-1,234.50", "-1234.50"), ("+7", "7"), ("\u{2212}7", "-7"), (".5", "0.5"),
        (" 12 ", "12"), ("1 000", "1000"), ("1\u{202F}000.5", "1000.5"), ("1\u{2019}000", "1000"), ("007", "007"),
    ])
    func `a number with one reading is read where the decimal mark is a point`(text: String, number: String) {
        #expect(read(text, "en_US.UTF-8") == number)
        #expect(read(text, nil) == number)
    }

    @Test(arguments: [
        ("7,5", "7.5"), ("7.5", "7.5"), ("1234.5", "1234.5"), ("1.000,5", "1000.5"), ("1.000.000", "1000000"),
        ("1,000", "1.000"), ("1 000,25", "1000.25"), ("0.123", "0.123"), ("1.1250", "1.1250"), ("-0,5", "-0.5"),
    ])
    func `a number with one reading is read where the decimal mark is a comma`(text: String, number: String) {
        for locale in ["de_DE", "pl_PL.UTF-8", "pt-BR", "sr-Latn-RS", "en_DE"] { #expect(read(text, locale) == number) }
    }

    @Test(arguments: [
        ("\u{663}", "ar", "3"), ("\u{661}\u{66C}\u{662}\u{663}\u{664}\u{66B}\u{665}", "ar", "1234.5"),
        ("\u{661}\u{66B}\u{660}\u{660}\u{660}", "ar_MA", "1.000"),
        ("\u{661}\u{66C}\u{660}\u{660}\u{660}", "en", "1000"),
        ("\u{61C}-\u{667}\u{66B}\u{665}", "ar", "-7.5"), ("\u{6F7}\u{66B}\u{6F5}", "fa", "7.5"),
        ("\u{967}\u{968}.\u{96B}", "hi", "12.5"), ("\u{FF17}\u{FF0E}\u{FF15}", "ja", "7.5"),
        ("\u{FF0D}\u{FF11}\u{FF12}", "ja", "-12"),
        ("\u{FF11}\u{FF0C}\u{FF10}\u{FF10}\u{FF10}", "ja", "write 1000 or 1"),
        ("\u{FF17}\u{FF0C}\u{FF15}", "de", "7.5"), ("\u{3000}\u{FF17}", "ja", "7"),
    ])
    func `digits and marks of other scripts are read as those of ASCII are`(
        text: String, locale: String, number: String
    ) {
        #expect(read(text, locale) == number)
    }

    @Test(arguments: [
        ("1,000", "en", "write 1000 or 1"), ("100,250", "en", "write 100250 or 100.25"),
        ("-1,000", "en", "write -1000 or -1"), ("1.000", "de", "write 1000 or 1"),
        ("42.125", "fr_FR", "write 42125 or 42,125"),
    ])
    func `a number with two readings is refused, and both are named`(text: String, locale: String, hint: String) {
        #expect(read(text, locale) == hint)
    }

    @Test(arguments: [
        ("7,5", "en", "write 7.5"), ("0,500", "en", "write 0.5"), ("1.000,5", "en", "write 1000.5"),
        ("1,000.5", "de", "write 1000,5"), ("1,00", "de_CH", "write 1"), ("7,5", "es_MX", "write 7.5"),
        ("", "en", "no number"), ("five", "en", "no number"), ("1,0000", "de", "1.0000"), ("1..5", "en", "no number"),
        ("5.", "en", "no number"), ("1,00,000", "en", "no number"), ("1 00", "en", "no number"),
        ("1e3", "en", "no number"),
        ("--5", "en", "no number"), ("\u{661}2", "ar", "no number"), ("\u{661}\u{6F2}", "fa", "no number"),
        ("Ⅳ", "en", "no number"), ("½", "en", "no number"), ("1,000.000", "en", "1000.000"),
        ("1 000,000 000", "de", "no number"),
    ])
    func `what the locale does not write is refused, with what was probably meant`(
        text: String, locale: String, hint: String
    ) {
        #expect(read(text, locale) == hint)
    }

    @Test func `what a page types into a field is read as the same number`() throws {
        let cases = try #require(try JSONReader.read(Array(PageVectors.read("numbers").utf8)).array)
        #expect(!cases.isEmpty)
        for item in cases {
            let locale = try #require(item["locale"]?.string)
            let mark = DecimalMark(locale: locale)
            #expect(String(mark.rawValue) == item["mark"]?.string, "\(locale)")
            for pair in try #require(item["numbers"]?.array) {
                let (value, typed) = (try #require(pair.array?.first?.scalarText), pair.array?.last?.string ?? "")
                #expect(try TypedNumber(typed, mark).text == value, "\(locale): \(typed)")
            }
        }
    }
}
