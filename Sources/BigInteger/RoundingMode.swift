/// A rule for what lies between two neighbors, as in Java's `RoundingMode`.
package enum RoundingMode: Sendable, CaseIterable {
    /// Away from zero.
    case up
    /// Toward zero: digits are cut off.
    case down
    /// Toward positive infinity.
    case ceiling
    /// Toward negative infinity.
    case floor
    /// To the nearest, ties away from zero: what people expect of money.
    case halfUp
    /// To the nearest, ties to the even neighbor.
    case halfEven
    /// To the nearest, ties toward positive infinity, as JavaScript's `Math.round`.
    case halfCeiling

    /// What is cut off, compared with half of the last digit that is kept.
    enum Half { case below, tie, above }

    /// Whether a value that is not exact is moved to the neighbor with the greater magnitude.
    func movesAwayFromZero(isNegative: Bool, isOdd: Bool, half: Half) -> Bool {
        switch self {
        case .up: true
        case .down: false
        case .ceiling: !isNegative
        case .floor: isNegative
        case .halfUp: half != .below
        case .halfEven: half == .above || half == .tie && isOdd
        case .halfCeiling: half == .above || half == .tie && !isNegative
        }
    }
}
