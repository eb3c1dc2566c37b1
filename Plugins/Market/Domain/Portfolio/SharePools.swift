import BigInteger
import CivilDate

/// Matches disposals by the share pools of the United Kingdom (TCGA 1992, sections 104 to 106A): with acquisitions of the same day,
/// then with those of the 30 days after it, the earliest first, then with the average of all others that were held.
struct SharePools {
    private(set) var lots: [Ledger.Key: [Lot]] = [:]
    /// The disposals in the order of the steps.
    let disposals: [Ledger.Disposal]

    /// The days after a disposal in which an acquisition is matched with it.
    private static let days = 30

    /// A disposal with the parts that were matched.
    private struct Matched {
        let removal: LedgerSteps.Removal
        let place: Int
        var left: BigDecimal
        var parts: [TakenTokens] = []
    }

    init(_ steps: [LedgerSteps.Step]) {
        var acquisitions: [Ledger.Key: [LedgerSteps.Acquisition]] = [:]
        var removals: [Ledger.Key: [Matched]] = [:]
        for (place, step) in steps.enumerated() {
            switch step {
            case .acquire(let new): acquisitions[new.key, default: []].append(new)
            case .dispose(let removal):
                removals[removal.key, default: []].append(
                    Matched(removal: removal, place: place, left: removal.amount))
            case .move: break
            }
        }
        var all: [Matched] = []
        for (key, own) in acquisitions {
            var days = Self.days(own)
            var matched = removals[key] ?? []
            Self.matchDays(&matched, &days)
            if let rest = Self.matchPool(&matched, days) { lots[key] = [rest] }
            all += matched
        }
        disposals = all.sorted { $0.place < $1.place }.map { $0.removal.disposal($0.parts) }
    }

    /// The acquisitions of each day as one lot, in the order of the days.
    private static func days(_ acquisitions: [LedgerSteps.Acquisition]) -> [Lot] {
        var days: [Lot] = []
        for new in acquisitions {
            if let last = days.indices.last, days[last].purchase.date == new.trade.date {
                days[last].add(new.amount, cost: new.cost)
            } else {
                days.append(Lot(purchase: new.trade, amount: new.amount, cost: new.cost, number: days.count))
            }
        }
        return days
    }

    /// Matches with acquisitions of the same day, all of them first, and then with those of the days after.
    private static func matchDays(_ matched: inout [Matched], _ days: inout [Lot]) {
        for place in matched.indices {
            let day = matched[place].removal.trade.date
            for other in first(of: days, from: day)..<days.count {
                guard days[other].purchase.date == day else { break }
                match(&matched[place], &days[other])
            }
        }
        for place in matched.indices where matched[place].left > 0 {
            let day = matched[place].removal.trade.date
            for other in first(of: days, from: day.adding(days: 1))..<days.count {
                guard days[other].purchase.date <= day.adding(days: Self.days), matched[place].left > 0 else { break }
                match(&matched[place], &days[other])
            }
        }
    }

    /// The index of the first day that is not before `day`.
    private static func first(of days: [Lot], from day: CivilDate) -> Int {
        var (low, high) = (0, days.count)
        while low < high {
            let middle = (low + high) / 2
            if days[middle].purchase.date < day { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func match(_ matched: inout Matched, _ lot: inout Lot) {
        let number = min(matched.left, lot.amount)
        guard number > 0 else { return }
        let (day, purchase) = (lot.purchase.date, lot.isMixed ? nil : lot.purchase)
        let taken = lot.take(number)
        matched.left -= number
        matched.parts.append(
            TakenTokens(purchase: purchase, acquired: day, amount: number, cost: taken.cost, isByClose: taken.isByClose)
        )
    }

    /// Matches the rest with the average of what was acquired up to the day of each disposal, and returns what is left of it.
    private static func matchPool(_ matched: inout [Matched], _ days: [Lot]) -> Lot? {
        var (pool, next): (Lot?, Int) = (nil, 0)
        func add(_ day: Lot) {
            guard !day.amount.isZero else { return }
            if pool == nil {
                pool = Lot(purchase: day.purchase, amount: day.amount, cost: day.worth, number: 0, isMixed: true)
            } else {
                pool?.add(day.amount, cost: day.worth)
            }
        }
        for place in matched.indices where matched[place].left > 0 {
            while next < days.count, days[next].purchase.date <= matched[place].removal.trade.date {
                add(days[next])
                next += 1
            }
            guard let taken = pool?.take(matched[place].left) else { continue }
            matched[place].left = 0
            matched[place].parts.append(taken)
            if pool?.amount.isZero ?? false { pool = nil }
        }
        for day in days[next...] { add(day) }
        return pool
    }
}
