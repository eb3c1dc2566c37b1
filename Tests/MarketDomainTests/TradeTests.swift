import BigInteger
import CivilDate
import MarketDomain
import Testing

/// What makes two entries one.
struct TradeTests {
    private func entry(
        id: String = "1", tokenID: String = "btc", kind: Trade.Kind = .sell, amount: BigDecimal = 2,
        value: Trade.Value? = .each(3), received: Trade.Tokens? = nil, fee: Trade.Fee = .nothing,
        currency: Currency = .usd, day: Int = 20_000, time: Int? = nil, note: String = ""
    ) throws -> Trade {
        var details = Trade.Details()
        details.note = note
        return try Trade(
            id: id, tokenID: tokenID, kind: kind, amount: amount, value: value, received: received, fee: fee,
            currency: currency, date: CivilDate(daysSinceEpoch: day), time: time, details: details)
    }

    @Test func `entries are equal when each of their fields is`() throws {
        func swap(for amount: BigDecimal) throws -> Trade {
            try entry(kind: .swap, received: .init(tokenID: "eth", amount: amount))
        }
        let euro = try #require(Currency("eur"))
        let others = try [
            entry(id: "2"), entry(tokenID: "eth"), entry(kind: .buy), entry(amount: 3), entry(value: .total(3)),
            entry(fee: .money(1)), entry(currency: euro), entry(day: 20_001), entry(time: 0), entry(note: "gift"),
        ]
        let one = try entry()
        #expect(try one == entry() && one.hashValue == entry().hashValue)
        for other in others { #expect(other != one) }
        #expect(try swap(for: 1) != swap(for: 2) && swap(for: 1) == swap(for: 1))
        // Those above, and what a swap gives: none of them is left out.
        #expect(Mirror(reflecting: one).children.count == others.count + 1)
    }
}
