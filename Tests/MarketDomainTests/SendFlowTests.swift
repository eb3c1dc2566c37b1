import BigInteger
import MarketDomain
import Testing

struct SendFlowTests {
    private let here: Address = .zero
    private let token = SendFlow.Asset.token(key: "1-0x00", decimals: 18)

    @Test func `steps that are known are skipped`() throws {
        let there = try Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        var flow = SendFlow()
        var seen: [SendFlow.Step?] = [flow.step]
        flow.choose(from: here)
        flow.advance()
        seen.append(flow.step)
        flow.choose(to: there)
        flow.advance()
        seen.append(flow.step)
        flow.choose(token)
        flow.advance()
        seen.append(flow.step)
        flow.advance()
        seen.append(flow.step)
        #expect(
            seen == [.selectFrom, .selectAddress, .selectAsset, .inputAmount, .confirmation] && flow.nextStep == nil)

        #expect(SendFlow(from: here, to: there, asset: token).step == .inputAmount)
        #expect(SendFlow(from: here, to: there, asset: .collectible(id: "7")).step == .collectibleAmount)
        #expect(SendFlow(from: here).step == .selectAddress)
    }

    @Test func `a choice drops what depends on it, and only the newest routes count`() throws {
        var flow = SendFlow(from: here, to: here, asset: token)
        flow.requestRoutes(uuid: "1")
        #expect(!flow.canRequestRoutes && !flow.accepts(routesOf: "1"))
        flow.choose(try Amount("1", decimals: 18))
        flow.requestRoutes(uuid: "1")
        flow.requestRoutes(uuid: "2")
        #expect(!flow.accepts(routesOf: "1") && flow.accepts(routesOf: "2"))
        flow.choose(token)
        #expect(flow.amount == nil && flow.routeRequest == nil && !flow.accepts(routesOf: "2"))
        flow.choose(try Amount("0", decimals: 18))
        #expect(!flow.canRequestRoutes)
    }

    @Test func `transfers are checked in the order in which problems are solved`() throws {
        func amount(_ text: String) throws -> Amount { try Amount(text, decimals: 18) }
        func problems(
            _ text: String?, native: String = "1", isNative: Bool = false, legs: [BigInteger]? = [1000]
        ) throws -> [SendCheck.Problem] {
            try SendCheck.problems(
                text.map(amount), balance: amount("5"), lower: amount("0.1"), upper: amount("10"),
                native: amount(native).units, isNative: isNative, legs: legs)
        }
        #expect(try problems("5") == [] && problems(nil) == [.noAmount] && problems("0") == [.noAmount])
        #expect(try problems("0.01") == [.belowLimit(amount("0.1"))])
        #expect(try problems("11") == [.aboveLimit(amount("10")), .aboveBalance])
        #expect(try problems("5", legs: nil) == [.noRoute] && problems("5", legs: []) == [.noRoute])
        #expect(try problems("5", legs: [1, 2]) == [.severalLegs])
        #expect(try problems("5", native: "0") == [.notEnoughForFees(missing: 1000)])
        // The native coin pays amount and fees: not a unit is rounded away.
        #expect(try problems("5", native: "5", isNative: true) == [.notEnoughForFees(missing: 1000)])
        #expect(try problems("5", native: "5.000000000000001", isNative: true) == [])
    }

    @Test func `a recipient that would lose the amount is a problem`() throws {
        let main = try Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        let contract = try Address("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359")
        let other = try Address("0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB")
        func problems(_ recipient: Address, token: Address? = contract) -> [SendCheck.Problem] {
            SendCheck.problems(to: recipient, from: main, token: token)
        }
        #expect(problems(other) == [] && problems(contract, token: nil) == [])
        #expect(problems(.zero) == [.toZeroAddress] && problems(.zero, token: nil) == [.toZeroAddress])
        #expect(problems(contract) == [.toTokenContract] && problems(main) == [.toSender])
    }
}
