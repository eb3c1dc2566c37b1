import MinteeDomain
import Testing

struct TagAndOrderTests {
    @Test(arguments: [
        ("tag", "tag", true), ("tag", "TAG", true), ("tag1", "tag", true), ("tag2", "tag1", false),
        ("tag2", "TAG1", false), ("anything", "", true), ("Café", "cafe", true),
    ])
    func `the filter of the tag field`(name: String, typed: String, isOffered: Bool) {
        #expect(TagName.matches(name, typed: typed) == isOffered)
    }

    @Test func `tags are told apart without case, accents and blanks`() {
        #expect(TagName.folded("Café") == TagName.folded(" CAFE "))
        #expect(TagName.folded("tag1") != TagName.folded("tag2"))
    }

    @Test func `the order of analyses`() {
        #expect(AnalysisOrder.sorted([-1, 0, 2, -1, -3, 4, 0]) { $0 } == [0, 0, 2, 4, -1, -1, -3])
        #expect(AnalysisOrder.violations([0, 1, -1, -1]) == [])
        #expect(AnalysisOrder.violations([0, 0]) == ["ANL-5"] && AnalysisOrder.violations([-2]) == ["ANL-5"])
    }

    @Test func `legends have colours of one kind`() throws {
        #expect(Legend.standard.violations == [])
        #expect(Legend().violations == ["ALGND-2"])
        let band = Legend.CompletionEntry(.atLeast(5), LegendColor(rgba: 0xFF))
        #expect(Legend(completions: [band]).violations == [])
        var both = Legend.standard
        both.completions = [band]
        #expect(both.violations == ["ALGND-1", "ALGND-2"])
        #expect(Legend(completions: [band]).color(of: 7.0) == band.color)
        #expect(Legend(completions: [band]).color(of: 4.0) == nil)
    }

    @Test func `there are 86 rules, each with its own code`() {
        let codes = Rule.all.map(\.code.description)
        #expect(Set(codes).count == 86 && codes.count == 86)
        #expect(codes.count { $0.hasPrefix("I-") } == 12)
        #expect(Rule.all.allSatisfy { !$0.text.isEmpty && !$0.text.hasSuffix(".") })
    }
}
