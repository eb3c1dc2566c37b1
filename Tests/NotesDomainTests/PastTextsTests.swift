import TestSupport
import Testing
import TextCRDT

@testable import NotesDomain

/// What is compared with what clients have written: texts of earlier versions, and how much they differ at least.
struct PastTextsTests {
    @Test func `texts of earlier versions are the same from memory, of which few are kept`() throws {
        var note = NoteDocument()
        var versions: [NoteVersion] = []
        for number in 0..<10 {
            try note.set(title: "T\(number)", content: String(repeating: "\(number) ", count: number), by: "ada")
            versions.append(note.version)
        }
        var past = PastTexts()
        for _ in 0..<2 {
            for (number, version) in versions.enumerated() {
                let text = "T\(number)\n" + String(repeating: "\(number) ", count: number)
                for _ in 0..<2 {
                    let scalars = try past.scalars(at: version, of: note)
                    #expect(scalars.elementsEqual(text.unicodeScalars.map(\.value)))
                }
                #expect(past.size <= 4 * (128 + 4 * 21))
            }
        }
        // One that is long is not kept.
        let size = past.size
        try note.set(content: String(repeating: "long ", count: 2000), by: "ada")
        let long = note.version
        try note.set(content: "short", by: "ada")
        let scalars = try past.scalars(at: long, of: note)
        #expect(scalars.count == "T9\n".count + 10_000 && past.size == size)
    }

    @Test(.seeded) func `a change is as large as its bounds say, and given up early only if it is too large`() throws {
        var random = SeededGenerator(seed: 20_261_129)
        let words = ["a", "milk", "oat", "Ödland", "…", "12", ".", "写真"]
        func text() -> String {
            (0..<Int.random(in: 0...12, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        var refused = 0
        for _ in 0..<2_000 {
            let (first, second) = (text(), text())
            let (a, b) = (TextDiff.scalars(of: first), TextDiff.scalars(of: second))
            var budget = 1_000_000
            let whole = try #require(ChangeSize(from: a, to: b, budget: &budget))
            #expect(ChangeSize.leastTotal(from: a, to: b) <= whole.total, "\(first) | \(second)")
            #expect(ChangeSize.mostTotal(from: a, to: b) >= whole.total, "\(first) | \(second)")
            #expect(ChangeSize.mostTotal(from: a, to: b) >= ChangeSize(betweenEndsOf: a, b).total)
            for most in [0, whole.total - 1, whole.total, whole.total + 3] where most >= 0 {
                let size = ChangeSize(from: a, to: b, atMost: most, budget: &budget)
                #expect(size == (most < whole.total ? nil : whole), "\(first) | \(second)")
                refused += size == nil ? 1 : 0
            }
        }
        #expect(refused > 1_000)
    }
}
