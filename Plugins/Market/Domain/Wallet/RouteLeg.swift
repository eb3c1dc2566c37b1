package import BigInteger

/// One leg of a route for a transfer, with its fees. Amounts and fees are base units.
package struct RouteLeg: Hashable, Sendable {
    /// The processor, such as `Transfer`.
    package let processor: String
    /// The chain ids.
    package let fromChain: Int
    /// The chain id of the recipient.
    package let toChain: Int
    /// The amount that is sent.
    package let amountIn: BigInteger
    /// The amount that arrives.
    package let amountOut: BigInteger
    /// The whole fee in the native coin.
    package let totalFee: BigInteger
    /// The native coin that must be there.
    package let requiredNative: BigInteger
    /// The expected time in seconds; nil if it is not known.
    package let seconds: Int?
    /// Whether an approval must be sent before.
    package let needsApproval: Bool

    package init(
        processor: String, fromChain: Int, toChain: Int, amountIn: BigInteger, amountOut: BigInteger,
        totalFee: BigInteger,
        requiredNative: BigInteger, seconds: Int?, needsApproval: Bool
    ) {
        self.processor = processor
        self.fromChain = fromChain
        self.toChain = toChain
        self.amountIn = amountIn
        self.amountOut = amountOut
        self.totalFee = totalFee
        self.requiredNative = requiredNative
        self.seconds = seconds
        self.needsApproval = needsApproval
    }
}
