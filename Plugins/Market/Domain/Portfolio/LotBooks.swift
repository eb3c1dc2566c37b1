import BigInteger

/// Matches disposals with lots one after the other: by FIFO, LIFO, HIFO and average.
struct LotBooks {
    private let basis: CostBasis
    private var books: [Ledger.Key: LotBook] = [:]
    private var count = 0
    private(set) var disposals: [Ledger.Disposal] = []

    init(_ basis: CostBasis) { self.basis = basis }

    /// The lots that are held, in the order in which they are sold.
    var lots: [Ledger.Key: [Lot]] { books.compactMapValues { $0.isEmpty ? nil : $0.lots(basis) } }

    mutating func apply(_ step: LedgerSteps.Step) {
        switch step {
        case .acquire(let new):
            let lot = Lot(purchase: new.trade, amount: new.amount, cost: new.cost, number: count)
            count += 1
            books[new.key, default: LotBook()].add(lot, basis)
        case .dispose(let removal):
            var taken: [TakenTokens] = []
            books[removal.key, default: LotBook()].take(removal.amount, basis) { taken.append($0.take($1)) }
            disposals.append(removal.disposal(taken))
        case .move(let move):
            var moved: [Lot] = []
            books[move.source, default: LotBook()].take(move.amount, basis) { moved.append($0.split($1)) }
            for lot in moved { books[move.target, default: LotBook()].add(lot, basis) }
        }
    }
}

/// The lots of one token while entries are worked through: a heap whose first lot is sold next.
private struct LotBook {
    /// A lot and the number of its arrival, for lots of one acquisition that arrived one after the other.
    private typealias Entry = (lot: Lot, arrival: Int)
    private var heap: [Entry] = []
    private var count = 0

    var isEmpty: Bool { heap.isEmpty }

    /// The lots in the order in which they are sold.
    func lots(_ basis: CostBasis) -> [Lot] { heap.sorted { Self.isSoldBefore($0, $1, basis) }.map(\.lot) }

    private static func isSoldBefore(_ one: Entry, _ other: Entry, _ basis: CostBasis) -> Bool {
        let isFirst = (one.lot.number, one.arrival) < (other.lot.number, other.arrival)
        switch basis {
        case .fifo, .average, .pool: return isFirst
        case .lifo: return (one.lot.number, one.arrival) > (other.lot.number, other.arrival)
        case .hifo:
            return one.lot.isDearer(than: other.lot) || !other.lot.isDearer(than: one.lot) && isFirst
        }
    }

    mutating func add(_ lot: Lot, _ basis: CostBasis) {
        if basis == .average, !heap.isEmpty {
            heap[0].lot.add(lot.amount, cost: lot.worth)
            return
        }
        heap.append((lot, count))
        count += 1
        var place = heap.count - 1
        while place > 0, Self.isSoldBefore(heap[place], heap[(place - 1) / 2], basis) {
            heap.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Takes tokens out, of which there are enough: `part` takes a number of tokens out of a lot.
    mutating func take(_ amount: BigDecimal, _ basis: CostBasis, _ part: (inout Lot, BigDecimal) -> Void) {
        var left = amount
        while left > 0, !heap.isEmpty {
            let number = min(left, heap[0].lot.amount)
            part(&heap[0].lot, number)
            left -= number
            if heap[0].lot.amount.isZero { removeFirst(basis) }
        }
    }

    private mutating func removeFirst(_ basis: CostBasis) {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var place = 0
        while case var child = 2 * place + 1, child < heap.count {
            if child + 1 < heap.count, Self.isSoldBefore(heap[child + 1], heap[child], basis) { child += 1 }
            guard Self.isSoldBefore(heap[child], heap[place], basis) else { return }
            heap.swapAt(place, child)
            place = child
        }
    }
}
