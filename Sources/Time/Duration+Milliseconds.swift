extension Duration {
    /// The whole milliseconds, rounded towards zero; at most what an `Int` holds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        let (product, isLarge) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isLarger) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isLarge || isLarger ? (seconds < 0 ? .min : .max) : Int(sum)
    }

    /// The argument of poll(2) that waits at least this long: milliseconds rounded up, at most 24 days; 1 for a time
    /// that is over.
    package var pollTimeout: Int32 { Int32(clamping: min(max(self, .zero).milliseconds, Int.max - 1) + 1) }
}
