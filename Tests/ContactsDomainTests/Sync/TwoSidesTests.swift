import TestSupport
import Testing

/// The shared engine with the merge of cards, on two sides that are dictionaries.
struct TwoSidesTests {
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `two sides that change at random end equal`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var model = TwoSides()
        for step in 0..<120 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: model.addHere(step)
            case 1: model.addThere(step)
            case 2: model.changeHere(step, &random)
            case 3: model.changeThere(step, &random)
            case 4: model.removeHere(&random)
            case 5: model.removeThere(&random)
            default: try model.sync(stoppingAfter: Int.random(in: 0...30, using: &random))
            }
        }
        for _ in 0..<3 {
            try model.sync(stoppingAfter: .max)
            model.resolve(&random)
        }
        try model.sync(stoppingAfter: .max)
        let actions = try model.sync(stoppingAfter: .max)
        let (unequal, lost) = (model.unequal, model.lost)
        #expect(unequal == [] && lost == [] && actions == 0, "seed \(seed)")
    }
}
