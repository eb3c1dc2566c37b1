import Testing

@testable import Notes

/// Which notes stay in memory.
struct NoteMemoryTests {
    /// A note of which a part can be forgotten.
    private struct Sheet: KeptNote {
        var text: Int
        var changes: Int

        var memorySize: Int { text + changes }
        mutating func forgetChanges() { changes = 0 }
    }

    private let start = ContinuousClock.now

    @Test func `notes take the room that they may, and lose what can be read again first`() {
        var memory = NoteMemory<Sheet>(maximumSize: 100)
        for number in 0..<4 { memory.keep(Sheet(text: 5, changes: 20), as: "\(number)", at: start + .seconds(number)) }
        #expect(memory.size == 100 && memory.count == 4)
        // The oldest shrink until a quarter is free.
        memory.keep(Sheet(text: 5, changes: 20), as: "4", at: start + .seconds(4))
        #expect((0..<5).map { memory["\($0)"]?.changes } == [0, 0, 0, 20, 20])
        #expect(memory.size == 65)
        // Then all have, and the oldest go.
        memory.keep(Sheet(text: 60, changes: 0), as: "5", at: start + .seconds(5))
        #expect((0..<6).map { memory["\($0)"]?.text } == [nil, nil, 5, 5, 5, 60])
        #expect(memory.size == 75)
    }

    @Test func `a note that is kept again counts once, and is the newest`() {
        var memory = NoteMemory<Sheet>(maximumSize: 100)
        for number in 0..<3 { memory.keep(Sheet(text: 30, changes: 0), as: "\(number)", at: start + .seconds(number)) }
        memory.keep(Sheet(text: 31, changes: 0), as: "0", at: start + .seconds(3))
        #expect(memory.size == 91 && memory.count == 3)
        memory.keep(Sheet(text: 30, changes: 0), as: "3", at: start + .seconds(4))
        #expect(memory["0"]?.text == 31 && memory["1"] == nil && memory["2"] == nil)
        #expect(memory.remove("0")?.text == 31)
        #expect(memory.remove("0") == nil && memory.size == 30)
        memory.removeAll()
        #expect(memory.size == 0 && memory.count == 0)
    }

    @Test func `one that is larger than all may be stays until the next comes`() {
        var memory = NoteMemory<Sheet>(maximumSize: 100)
        memory.keep(Sheet(text: 10, changes: 0), as: "small", at: start)
        memory.keep(Sheet(text: 500, changes: 5), as: "large", at: start)
        #expect(memory["large"]?.changes == 5 && memory["small"] == nil)
        memory.keep(Sheet(text: 10, changes: 0), as: "small", at: start)
        #expect(memory["large"] == nil && memory["small"] != nil && memory.size == 10)
    }

    @Test func `a note that was not used for five minutes is forgotten`() {
        var memory = NoteMemory<Sheet>()
        memory.keep(Sheet(text: 1, changes: 0), as: "old", at: start)
        memory.keep(Sheet(text: 1, changes: 0), as: "used", at: start + .seconds(200))
        memory.keep(Sheet(text: 1, changes: 0), as: "new", at: start + .seconds(301))
        #expect(memory["old"] == nil && memory["used"] != nil && memory.size == 2)
    }
}
