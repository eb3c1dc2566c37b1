import HubKitTesting
import TestSupport
import Testing

@testable import Storage

/// News that is added up, cut by patterns and sent as datagrams, whatever the topics are.
struct ChangeSetModelTests {
    private static let topics = (0..<400).compactMap { Topic("domain.plugin-\($0 % 7)/topic-\($0)") }

    private func random(_ generator: inout SeededGenerator) -> ChangeSet {
        guard Int.random(in: 0..<12, using: &generator) > 0 else { return .everything }
        let count = [0, 1, 3, 10, 255, 256].randomElement(using: &generator) ?? 0
        return .some(Set(Self.topics.shuffled(using: &generator).prefix(count)))
    }

    private func union(_ sets: ChangeSet...) -> ChangeSet { sets.reduce(into: .some([])) { $0.formUnion($1) } }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `the order in which news is added up does not matter, and none is lost`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let (a, b, c) = (random(&generator), random(&generator), random(&generator))
        #expect(union(a, b) == union(b, a) && union(a, a) == a, "seed \(seed)")
        #expect(union(union(a, b), c) == union(a, union(b, c)), "seed \(seed)")
        for topic in Self.topics {
            let pattern = TopicPattern(topic)
            let isNews = [a, b, c].contains { $0.restricted(to: [pattern]) != nil }
            #expect(union(a, b, c).restricted(to: [pattern]) != nil || !isNews, "seed \(seed), \(topic)")
        }
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `what a datagram brings is the news or more, and fits`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let news = random(&generator)
        #expect(news.datagram.count <= ChangeSet.maximumDatagram)
        let read = ChangeSet(datagram: news.datagram)
        #expect(read == news || read == .everything, "seed \(seed)")
        if case .some(let topics) = news, topics.count <= 10 { #expect(read == news, "seed \(seed)") }
    }

    @Test func `no pattern is interested in anything`() {
        #expect(ChangeSet.everything.restricted(to: []) == nil)
        #expect(ChangeSet.some(["domain.a/x"]).restricted(to: []) == nil)
        #expect(ChangeSet.some([]).restricted(to: [.everything]) == nil)
        #expect(ChangeSet.everything.restricted(to: ["domain.a/x"]) == .everything)
    }

    @Test func `a datagram with an unknown line is news of everything, also beside known ones`() {
        for text in ["domain.a/x\nnew.layer/x", "*", "domain.a/x\n*", "domain.a/X", "domain.a/x\n domain.a/y"] {
            #expect(ChangeSet(datagram: Array(text.utf8)) == .everything, "\(text)")
        }
        #expect(ChangeSet(datagram: Array("domain.a/x\n\ndomain.a/x".utf8)) == .some(["domain.a/x"]))
        #expect(ChangeSet(datagram: []) == .some([]))
    }
}
