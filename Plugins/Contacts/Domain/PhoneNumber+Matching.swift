extension PhoneNumber {
    /// How sure it is that two numbers reach the same line.
    package enum Match: Comparable, Sendable {
        case none, possible, certain
    }

    /// How many last digits an index looks candidates up by, before `match` confirms them.
    package static let lookupLength = 7

    /// Compares two numbers as written, at home or from abroad.
    ///
    /// Equal with country code, or the same last nine digits or more, is certain. Seven or eight equal last digits, with
    /// a country known on one side at most, are possible. Shorter numbers must be equal as a whole.
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

    /// The digits without the zeros that are dialled before them.
    private var significantDigits: Substring {
        e164.map { $0.dropFirst() } ?? digits.drop { $0 == "0" }
    }
}
