import Glibc
package import Testing

/// A generator that gives the same numbers for the same seed, on every machine (SplitMix64).
///
/// The environment variable `HUB_TEST_SEED` makes every generator give other numbers.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64 = 0) { state = seed ^ (Self.testSeed &* 0xD134_2543_DE82_EF95) }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// The value of `HUB_TEST_SEED`; 0 if it is not set.
    package static let testSeed: UInt64 = {
        guard let text = getenv("HUB_TEST_SEED").map({ String(cString: $0) }) else { return 0 }
        guard let seed = UInt64(text) else { fatalError("invalid number \"\(text)\" in HUB_TEST_SEED") }
        return seed
    }()
}

/// A trait that adds the seed to each issue of a test that draws random numbers.
package struct SeededTrait: TestTrait, TestScoping {
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        let addsSeed: IssueHandlingTrait = .compactMapIssues { issue in
            var issue = issue
            issue.comments.append("HUB_TEST_SEED=\(SeededGenerator.testSeed)")
            return issue
        }
        try await addsSeed.provideScope(for: test, testCase: testCase) {
            do {
                try await function()
            } catch let error where !(error is ExpectationFailedError) {
                // Outside, where the library makes an issue of the error, the seed is not added.
                Issue.record(error, sourceLocation: test.sourceLocation)
            }
        }
    }
}

extension Trait where Self == SeededTrait {
    /// Adds the seed to each issue of a test that draws random numbers.
    package static var seeded: Self { SeededTrait() }
}
