extension PhoneNumber {
    /// The certainty that two numbers are the same.
    package enum Match: Comparable, Sendable {
        case none, possible, certain
    }

    /// The number of last digits that the index looks up, before `match` compares them.
    package static let lookupLength = 7

    /// Compares two numbers as written, in national or international form.
    ///
    /// Equal numbers with country code, or nine equal last digits or more, are certain. Seven or eight equal last
    /// digits, with a known country on one side at most, are possible. Shorter numbers must be equal.
    package func match(_ other: PhoneNumber) -> Match {
        if let mine = e164, let theirs = other.e164 { return mine == theirs ? .certain : .none }
        if digits.isEmpty || other.digits.isEmpty { return .none }
        if digits == other.digits { return .certain }
        let (mine, theirs) = (significantDigits, other.significantDigits)
        let (short, long) = mine.count <= theirs.count ? (mine, theirs) : (theirs, mine)
        guard long.hasSuffix(short) else { return .none }
        if short.count >= 9 { return .certain }
        return short.count >= PhoneNumber.lookupLength ? .possible : .none
    }

    /// The digits without leading zeros.
    private var significantDigits: Substring {
        e164.map { $0.dropFirst() } ?? digits.drop { $0 == "0" }
    }
}
