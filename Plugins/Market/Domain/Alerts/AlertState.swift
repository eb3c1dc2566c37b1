package import BigInteger
package import Time

/// What an alert remembers between prices, and the rule by which it is raised.
///
/// It is raised once when its condition becomes true, and again only after the price went back past the bound by the
/// hysteresis. Only fresh prices count. When the first fresh price after a gap fulfils the condition, the alert says that the
/// price crossed the bound while nothing was known.
package struct AlertState: Hashable, Sendable {
    /// A price and its time.
    package struct Sample: Hashable, Sendable {
        /// When the provider saw the price.
        package let time: Instant
        /// The price.
        package let price: BigDecimal

        package init(time: Instant, price: BigDecimal) {
            self.time = time
            self.price = price
        }
    }

    /// An alert that is raised.
    package struct Raised: Hashable, Sendable {
        /// The price that raised it.
        package let sample: Sample
        /// The change in percent; nil for a bound.
        package let percent: BigDecimal?
        /// Whether the price crossed the bound while no fresh prices were known.
        package let crossedOffline: Bool
    }

    /// Prices older than this raise nothing.
    package static let maximumAge = Duration.seconds(300)
    /// A time without fresh prices that is longer than this is a gap.
    package static let maximumGap = Duration.seconds(900)
    /// The share of a bound, or of a percentage, by which the price must go back before the alert can be raised again.
    package static let hysteresis = BigDecimal(1, scale: 2)
    /// The number of samples of a period that are kept.
    private static let maximumSamples = 240

    /// Whether the alert was raised and waits for the price to go back.
    package private(set) var isRaised = false
    /// The last fresh price.
    package private(set) var last: Sample?
    /// The prices of the period of a change, the earliest first.
    package private(set) var samples: [Sample] = []

    /// The state of an alert that has seen no price.
    package init() {}

    /// The state of a stored alert.
    package init(isRaised: Bool, last: Sample?, samples: [Sample]) {
        self.isRaised = isRaised
        self.last = last
        self.samples = Array(samples.suffix(AlertState.maximumSamples))
    }

    /// Takes a price and returns the alert if it is raised now.
    package mutating func observe(_ sample: Sample, _ condition: AlertCondition, now: Instant) -> Raised? {
        guard now - sample.time <= AlertState.maximumAge, sample.price > 0 else { return nil }
        // A repeated or an older price says nothing new; one from a clock that ran ahead does not stop later ones.
        if let last, sample.time <= last.time, last.time <= now { return nil }
        let gap = last.map { sample.time - $0.time > AlertState.maximumGap } ?? false
        defer { last = sample }
        switch condition {
        case .above(let bound):
            let isBack = sample.price < bound - bound * Self.hysteresis
            return observe(sample, isTrue: sample.price > bound, isBack: isBack, gap)
        case .below(let bound):
            let isBack = sample.price > bound + bound * Self.hysteresis
            return observe(sample, isTrue: sample.price < bound, isBack: isBack, gap)
        case .change(let percent, let period): return observe(sample, percent, period)
        }
    }

    private mutating func observe(_ sample: Sample, isTrue: Bool, isBack: Bool, _ gap: Bool) -> Raised? {
        if isBack { isRaised = false }
        guard isTrue, !isRaised else { return nil }
        isRaised = true
        return Raised(sample: sample, percent: nil, crossedOffline: gap)
    }

    private mutating func observe(_ sample: Sample, _ percent: BigDecimal, _ period: Duration) -> Raised? {
        prune(before: sample, period)
        let isFall = percent.isNegative
        // The highest price of the period for a fall, the lowest for a rise: a change in less time is one within the period.
        let reference = samples.max { isFall ? $0.price < $1.price : $0.price > $1.price }
        remember(sample, period, isFall: isFall)
        guard let reference, let change = Conversion.percent(from: reference.price, to: sample.price) else {
            isRaised = false
            return nil
        }
        let (size, bound) = isFall ? (-change, -percent) : (change, percent)
        if size < bound - bound * Self.hysteresis { isRaised = false }
        guard size >= bound, !isRaised else { return nil }
        isRaised = true
        return Raised(sample: sample, percent: change, crossedOffline: false)
    }

    /// Drops the samples that are not of the period before a sample. One at or before the beginning of the period stays: it is
    /// the price when the period began. After a gap it would be a price from long before, so it goes.
    private mutating func prune(before sample: Sample, _ period: Duration) {
        samples.removeAll { $0.time >= sample.time }
        let start = sample.time - period
        while let first = samples.first,
            (samples.count > 1 ? samples[1] : sample).time <= start || first.time < start - AlertState.maximumGap
        {
            samples.removeFirst()
        }
    }

    /// Keeps a sample. Of those that are closer to each other than a fraction of the period only the highest is kept for a fall,
    /// the lowest for a rise.
    private mutating func remember(_ sample: Sample, _ period: Duration, isFall: Bool) {
        guard let last = samples.last, sample.time - last.time < period / (Self.maximumSamples - 2) else {
            return samples.append(sample)
        }
        if isFall ? sample.price >= last.price : sample.price <= last.price { samples[samples.count - 1] = sample }
    }
}
