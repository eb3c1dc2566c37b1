import MinteeDomain
import Testing

/// A target as a form has it (§3.6 and I-7 of the rules).
struct TargetFieldsTests {
    private func read(_ low: TargetOperator, _ lower: String, _ high: TargetOperator, _ upper: String) -> String {
        switch TargetFields(low, lower, high, upper).target {
        case .success(let target): target.description
        case .failure(let problem): "\(problem.field) \(problem.rule)"
        }
    }

    @Test func `fields say a target in normal form`() {
        #expect(read(.lessOrEqual, "3", .less, "5") == "3 <= x < 5")
        #expect(read(.less, " 1.5 ", .none, "") == "x > 1.5")
        #expect(read(.equal, "2", .less, "") == "x = 2")
        #expect(read(.less, "", .equal, "-2") == "x = -2")
        #expect(read(.lessOrEqual, "4", .lessOrEqual, "4") == "x = 4")
    }

    @Test func `a blank field counts nothing, whatever its operator says`() {
        #expect(read(.lessOrEqual, "3", .less, "") == "x >= 3")
        #expect(read(.less, "  ", .lessOrEqual, "5") == "x <= 5")
        #expect(read(.less, "", .less, "") == "lower I-7")
        #expect(read(.none, "", .less, "") == "upper I-7")
    }

    @Test func `what stands in a field that is switched off does not matter`() {
        #expect(read(.none, "x", .less, "5") == "x < 5")
        #expect(read(.equal, "2", .less, "x") == "x = 2")
        #expect(read(.less, "9", .equal, "2") == "x = 2")
        #expect(read(.none, "1", .none, "2") == "lower I-6")
    }

    @Test func `what is no number is told at its field, and what nothing can meet`() {
        #expect(read(.less, "a", .less, "5") == "lower I-7")
        #expect(read(.less, "1", .less, "5e3") == "upper I-7")
        #expect(read(.less, "5", .less, "3") == "upper TTS-7")
        #expect(read(.less, "3", .lessOrEqual, "3") == "upper TTS-7")
        #expect(read(.equal, "1", .equal, "2") == "upper TTS-6")
    }

    @Test func `every rule belongs to a field of a form`() {
        let fields = Set(Rule.all.map(\.code.field))
        #expect(
            fields == [
                "name", "kind", "start", "end", "dates", "sets", "tags", "range", "type", "legend", "value", "theme",
            ])
    }
}
