package import BigInteger

/// The steps of a transfer, and what each choice makes of the others.
package struct SendFlow: Hashable, Sendable {
    /// A step.
    package enum Step: Int, CaseIterable, Sendable {
        case selectFrom, selectAddress, selectAsset, inputAmount, collectibleAmount, confirmation
    }

    /// What is sent.
    package enum Asset: Hashable, Sendable {
        /// A token, by the key of the backend, with its decimals.
        case token(key: String, decimals: Int)
        /// A collectible, by its id.
        case collectible(id: String)
    }

    /// The account that sends.
    package private(set) var from: Address?
    /// The recipient.
    package private(set) var to: Address?
    /// What is sent.
    package private(set) var asset: Asset?
    /// The amount of a token, or the number of a collectible's copies.
    package private(set) var amount: Amount?
    /// The uuid of the request whose routes count; nil without one.
    package private(set) var routeRequest: String?
    /// The steps that were shown, the current one last.
    package private(set) var steps: [Step] = []
    /// Whether the first step is not needed: the flow began inside an account, or there is only one.
    private let hasFixedSender: Bool

    /// Creates a flow; `from` is set when the sender needs no choice.
    package init(from: Address? = nil, to: Address? = nil, asset: Asset? = nil) {
        self.from = from
        self.to = to
        self.asset = asset
        hasFixedSender = from != nil
        steps = [nextStep].compactMap { $0 }
    }

    /// The current step.
    package var step: Step? { steps.last }

    /// The first step that is needed and is not the current one; nil at the end.
    package var nextStep: Step? {
        Step.allCases.first { $0.rawValue > (step?.rawValue ?? -1) && isNeeded($0) }
    }

    private func isNeeded(_ step: Step) -> Bool {
        switch step {
        case .selectFrom: !hasFixedSender
        case .selectAddress: to == nil
        case .selectAsset: asset == nil
        case .inputAmount: if case .collectible? = asset { false } else { true }
        case .collectibleAmount: if case .collectible? = asset { amount == nil } else { false }
        case .confirmation: true
        }
    }

    /// Goes to the next step.
    package mutating func advance() {
        if let next = nextStep { steps.append(next) }
    }

    /// Sets the sender, which drops amount and routes.
    package mutating func choose(from address: Address) {
        from = address
        (amount, routeRequest) = (nil, nil)
    }

    /// Sets the recipient, which drops the routes.
    package mutating func choose(to address: Address) {
        to = address
        routeRequest = nil
    }

    /// Sets what is sent, which drops amount and routes.
    package mutating func choose(_ asset: Asset) {
        self.asset = asset
        (amount, routeRequest) = (nil, nil)
    }

    /// Sets the amount, which drops the routes.
    package mutating func choose(_ amount: Amount) {
        self.amount = amount
        routeRequest = nil
    }

    /// Whether all that a request of routes needs is there.
    package var canRequestRoutes: Bool {
        from != nil && to != nil && asset != nil && (amount.map { !$0.units.isZero } ?? false)
    }

    /// Notes a request of routes; those of others are ignored from now on.
    package mutating func requestRoutes(uuid: String) {
        if canRequestRoutes { routeRequest = uuid }
    }

    /// Whether routes of this uuid are the ones that were asked for last.
    package func accepts(routesOf uuid: String) -> Bool { uuid == routeRequest }
}

/// The checks of a transfer before it can be confirmed.
package enum SendCheck {
    /// A reason that stops a transfer.
    package enum Problem: Hashable, Sendable {
        case noAmount
        /// The recipient is the zero address, which has no key.
        case toZeroAddress
        /// The recipient is the contract of the token that is sent.
        case toTokenContract
        /// The recipient is the sender.
        case toSender
        case belowLimit(Amount)
        case aboveLimit(Amount)
        case aboveBalance
        /// There is no route.
        case noRoute
        /// The route has several legs, which are not supported.
        case severalLegs
        /// The native coin does not cover the fees.
        case notEnoughForFees(missing: BigInteger)
    }

    /// Returns the reasons why a recipient is not one.
    /// - Parameter token: The address of the contract of the token; nil for the native coin.
    package static func problems(to recipient: Address, from sender: Address, token: Address?) -> [Problem] {
        if recipient == .zero { return [.toZeroAddress] }
        if recipient == token { return [.toTokenContract] }
        return recipient == sender ? [.toSender] : []
    }

    /// Returns the reasons, in the order in which they are to be solved.
    /// - Parameters:
    ///   - balance: The balance of the token.
    ///   - native: The balance of the native coin in base units.
    ///   - isNative: Whether the token is the native coin, which then also pays the fees.
    ///   - legs: The fees of each leg of the route in base units of the native coin; nil without a route.
    package static func problems(
        _ amount: Amount?, balance: Amount, lower: Amount? = nil, upper: Amount? = nil, native: BigInteger,
        isNative: Bool, legs: [BigInteger]?
    ) -> [Problem] {
        guard let amount, !amount.units.isZero else { return [.noAmount] }
        var problems: [Problem] = []
        if let lower, amount.value < lower.value { problems.append(.belowLimit(lower)) }
        if let upper, amount.value > upper.value { problems.append(.aboveLimit(upper)) }
        if !balance.covers(amount) { problems.append(.aboveBalance) }
        guard let legs, !legs.isEmpty else { return problems + [.noRoute] }
        if legs.count > 1 { problems.append(.severalLegs) }
        let needed = legs.reduce(isNative ? amount.units : 0, +)
        if needed > native { problems.append(.notEnoughForFees(missing: needed - native)) }
        return problems
    }
}
