import BigInteger
package import JSON
package import MarketDomain

/// The routes for a transfer, or the reason why there are none.
package struct StatusGoRoutes: Hashable, Sendable {
    /// The legs of the best route; a leg that cannot be read makes the route unusable, so there is none then.
    package let path: [RouteLeg]
    /// The code of an error, such as `WR-002`; nil without one.
    package let errorCode: String?
    /// The details of the error.
    package let errorDetails: String

    /// Decodes the event of the signal; versions name the route differently.
    package init(_ event: JSONValue) {
        let legs = event["Route"]?.array ?? event["Best"]?.array ?? []
        let paths = legs.map(StatusGoRoutes.path)
        path = paths.contains { $0 == nil } ? [] : paths.compactMap { $0 }
        let error = event["ErrorResponse"]
        errorCode = error?["code"]?.string.flatMap { $0.isEmpty ? nil : String(TokenLabel.cleaned($0).prefix(20)) }
        errorDetails = String(TokenLabel.cleaned(error?["details"]?.string ?? "").prefix(200))
    }

    private static func path(_ json: JSONValue) -> RouteLeg? {
        func number(_ name: String) -> BigInteger? {
            json[name]?.string.flatMap { BigInteger(hexadecimal: $0) }.flatMap { $0.isUInt256 ? $0 : nil }
        }
        func chain(_ name: String) -> Int? { json[name]?["chainId"]?.integer ?? json[name]?.integer }
        guard let processor = json["ProcessorName"]?.string, let fromChain = chain("FromChain"),
            let toChain = chain("ToChain"), let amountIn = number("AmountIn"), let amountOut = number("AmountOut"),
            let totalFee = number("TxTotalFee")
        else { return nil }
        return RouteLeg(
            processor: String(TokenLabel.cleaned(processor).prefix(40)), fromChain: fromChain, toChain: toChain,
            amountIn: amountIn, amountOut: amountOut, totalFee: totalFee,
            requiredNative: number("RequiredNativeBalance") ?? totalFee,
            seconds: json["TxEstimatedTime"]?.integer.flatMap { $0 > 0 ? $0 : nil },
            needsApproval: json["ApprovalRequired"]?.bool ?? false)
    }
}
