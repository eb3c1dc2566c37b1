extension PartialDate {
    /// Parses a date in a card: every form of ISO 8601 that RFC 6350 §4.3 allows, with or without hyphens, with a time,
    /// which is dropped, and the forms without a year that other programs write.
    ///
    /// `omittedYear` is the placeholder for an unknown year (Apple's `X-APPLE-OMIT-YEAR`). 1604 always is one: Apple
    /// and CardBook write it because it is a leap year. Nil if the text is not a date.
    package init?(card text: String, omittedYear: Int? = nil) {
        guard let parts = PartialDate.parts(text.utf8.span) else { return nil }
        let isOmitted = parts.year == 1604 || (omittedYear != nil && parts.year == omittedYear)
        guard !isOmitted || parts.month != nil else { return nil }
        self.init(year: isOmitted ? nil : parts.year, month: parts.month, day: parts.day)
    }

    /// The numbers by the positions of digits and hyphens, or nil if they are not a form of ISO 8601.
    private static func parts(_ text: Span<UInt8>) -> (year: Int?, month: Int?, day: Int?)? {
        var length = 0
        // Digits are replaced by d to match the form.
        var shape: UInt128 = 0
        while length < text.count {
            let byte = text[length]
            // A time starts with T, or with a space in some programs; a Z may follow a plain date.
            if byte == 0x54 || byte == 0x74 || byte == 0x20 || byte == 0x5A { break }
            guard length < 16, byte == 0x2D || byte &- 0x30 < 10 else { return nil }
            shape = shape << 8 | UInt128(byte == 0x2D ? byte : 0x64)
            length += 1
        }
        func number(_ range: Range<Int>) -> Int {
            var sum = 0
            for index in range { sum = sum * 10 + Int(text[index] & 15) }
            return sum
        }
        return switch shape {
        case Shape.extended: (number(0..<4), number(5..<7), number(8..<10))
        case Shape.basic: (number(0..<4), number(4..<6), number(6..<8))
        case Shape.extendedMonth: (number(0..<4), number(5..<7), nil)
        case Shape.year: (number(0..<4), nil, nil)
        case Shape.extendedYearless: (nil, number(2..<4), number(5..<7))
        case Shape.basicYearless: (nil, number(2..<4), number(4..<6))
        case Shape.month: (nil, number(2..<4), nil)
        case Shape.day: (nil, nil, number(3..<5))
        default: nil
        }
    }

    /// The forms of a date, with d for each digit.
    private enum Shape {
        static let extended = of("dddd-dd-dd")
        static let basic = of("dddddddd")
        static let extendedMonth = of("dddd-dd")
        static let year = of("dddd")
        static let extendedYearless = of("--dd-dd")
        static let basicYearless = of("--dddd")
        static let month = of("--dd")
        static let day = of("---dd")

        private static func of(_ form: String) -> UInt128 { form.utf8.reduce(0) { $0 << 8 | UInt128($1) } }
    }
}
