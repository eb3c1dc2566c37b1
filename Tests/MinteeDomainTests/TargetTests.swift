import MinteeDomain
import TestSupport
import Testing

/// Normalisation, meter and status of targets: the tables of the app's tests.
struct TargetTests {
    private static let operators: [String: TargetOperator] = ["<": .less, "<=": .lessOrEqual, "=": .equal, "-": .none]

    /// Operators, then the result for (3,4), (4,4) and (5,4): `=` keeps, `x` is an error.
    private static let normal: [(String, String, [String])] = [
        ("<", "<", ["< < 3 4", "x", "x"]), ("<", "<=", ["< <= 3 4", "x", "x"]),
        ("<", "=", ["= - 4 0", "= - 4 0", "= - 4 0"]), ("<", "-", ["< - 3 0", "< - 4 0", "< - 5 0"]),
        ("<=", "<", ["<= < 3 4", "x", "x"]), ("<=", "<=", ["<= <= 3 4", "= - 4 0", "x"]),
        ("<=", "=", ["= - 4 0", "= - 4 0", "= - 4 0"]), ("<=", "-", ["<= - 3 0", "<= - 4 0", "<= - 5 0"]),
        ("=", "<", ["= - 3 0", "= - 4 0", "= - 5 0"]), ("=", "<=", ["= - 3 0", "= - 4 0", "= - 5 0"]),
        ("=", "-", ["= - 3 0", "= - 4 0", "= - 5 0"]), ("=", "=", ["x", "= - 4 0", "x"]),
        ("-", "<", ["- < 0 4", "- < 0 4", "- < 0 4"]), ("-", "<=", ["- <= 0 4", "- <= 0 4", "- <= 0 4"]),
        ("-", "=", ["= - 4 0", "= - 4 0", "= - 4 0"]), ("-", "-", ["x", "x", "x"]),
    ]

    @Test func `all 48 normal forms`() throws {
        for (lower, upper, results) in Self.normal {
            for (min, expected) in zip([3.0, 4, 5], results) {
                let words = expected.split(separator: " ").map(String.init)
                let lowerOperator = try #require(Self.operators[lower])
                let upperOperator = try #require(Self.operators[upper])
                let made = try? Target(minOperator: lowerOperator, maxOperator: upperOperator, min: min, max: 4)
                guard words.count == 4 else {
                    #expect(made == nil, "\(lower),\(upper) \(min)")
                    continue
                }
                let target = try #require(made, "\(lower),\(upper) \(min)")
                #expect(
                    target.minOperator == Self.operators[words[0]] && target.maxOperator == Self.operators[words[1]])
                #expect(target.min == Double(words[2]) && target.max == Double(words[3]), "\(lower),\(upper) \(min)")
                #expect(target.violations() == [])
            }
        }
    }

    @Test func `each error is told`() {
        func problem(_ lower: TargetOperator, _ upper: TargetOperator, _ min: Double, _ max: Double) -> TargetProblem? {
            do throws(TargetProblem) {
                _ = try Target(minOperator: lower, maxOperator: upper, min: min, max: max)
                return nil
            } catch { return error }
        }
        #expect(problem(.equal, .equal, 3, 4) == .equalButDifferent)
        #expect(problem(.less, .lessOrEqual, 4, 4) == .minNotBelowMax)
        #expect(problem(.lessOrEqual, .lessOrEqual, 5, 4) == .minAboveMax)
        #expect(problem(.none, .none, 1, 2) == .noOperator)
        #expect(problem(.less, .none, .nan, 0) == .notANumber)
        #expect(problem(.less, .less, 0, .infinity) == .notANumber)
    }

    @Test func `rules of stored operators`() {
        func codes(_ lower: TargetOperator, _ upper: TargetOperator, _ min: Double, _ max: Double) -> [String] {
            Target(unchecked: lower, upper, min, max).violations(of: "CMPLE").map(\.description)
        }
        #expect(codes(.less, .equal, 1, 2) == ["CMPLE-2"])
        #expect(codes(.less, .none, 1, 2) == ["CMPLE-3"])
        #expect(codes(.none, .less, 1, 2) == ["CMPLE-4"])
        #expect(codes(.none, .none, 0, 0) == ["CMPLE-5"])
        #expect(codes(.equal, .less, 1, 2) == ["CMPLE-6"])
        #expect(codes(.less, .less, 2, 2) == ["CMPLE-7"])
    }

    /// Target, then `x:meter` pairs.
    private static let meters: [(String, String)] = [
        ("-10 < x < -5", "-12:0 -10:0 -8:.4 -5:1 -3:1 0:1 3:1"),
        ("x > -10", "-12:1 -10:1 -8:.8 -5:.5 -3:.3 0:0 3:0 10:0 12:0"),
        ("x < -5", "-12:1 -10:1 -8:1 -5:1 -3:.6 0:0 3:0"), ("-10 < x < 0", "-12:0 -10:0 -8:.2 0:1 3:1"),
        ("x < 0", "-12:1 0:1 3:1 12:1"),
        ("-10 < x < 10", "-12:0 -10:0 -5:.25 0:.5 3:.65 10:1 12:1"),
        ("x < 10", "-12:0 -10:0 -7:0 -5:0 0:0 3:.3 5:.5 7:.7 8:.8 10:1 12:1"),
        ("0 < x < 10", "-10:0 0:0 7:.7 10:1 12:1"), ("x > 0", "-12:1 0:1 3:1 12:1"),
        ("5 < x < 10", "-7:0 0:0 3:0 5:0 8:.6 10:1 12:1"), ("x > 5", "-7:0 0:0 3:.6 5:1 8:1 10:1 12:1"),
        ("x = -10", "-12:1 -10:1 -8:.8 -5:.5 -3:.3 0:0 3:0 10:0 12:0"), ("x = 0", "-12:1 0:1 3:1 12:1"),
        ("x = 5", "-7:0 0:0 3:.6 5:1 8:1 10:1 12:1"),
    ]

    @Test func `the meter, with < and with <=`() throws {
        for (text, vectors) in Self.meters {
            for spelling in [text, text.replacing("<", with: "<=").replacing(">", with: ">=")] {
                let target = try Target(spelling)
                for vector in vectors.split(separator: " ") {
                    let parts = vector.split(separator: ":")
                    let value = try #require(Double(parts[0]))
                    let expected = try #require(Double("0" + String(parts[1])))
                    let meter = try #require(target.meter(of: value))
                    #expect(abs(meter - expected) < 1e-12, "\(spelling) at \(value)")
                }
            }
        }
        #expect(Target(unchecked: .none, .none, 0, 0).meter(of: 1) == nil)
        #expect(Target(unchecked: .none, .equal, 0, 1).meter(of: 1) == nil)
    }

    @Test func `the status`() throws {
        let vectors = [
            ("x > 0", "-1U 0B 1S"), ("x >= 0", "-1U 0S 1S"), ("x = 0", "-1U 0S 1U"), ("x < 3", "2S 3B 4U"),
            ("x <= 3", "2S 3S 4U"), ("0 < x < 5", "-1U 0B 3S 5B 6U"), ("0 < x <= 5", "-1U 0B 3S 5S 6U"),
            ("0 <= x < 5", "-1U 0S 3S 5B 6U"), ("0 <= x <= 5", "-1U 0S 3S 5S 6U"),
        ]
        let letters: [Character: CompletionStatus] = ["U": .unsatisfactory, "B": .borderline, "S": .satisfactory]
        for (text, expected) in vectors {
            for vector in expected.split(separator: " ") {
                let value = try #require(Double(vector.dropLast()))
                let letter = try #require(vector.last)
                #expect(try Target(text).status(of: value) == letters[letter], "\(text) at \(value)")
            }
        }
        let upper = Target(unchecked: .none, .equal, 0, 3)
        #expect([2.0, 3, 4].map(upper.status(of:)) == [.unsatisfactory, .satisfactory, .unsatisfactory])
    }

    @Test(
        arguments: [
            ("x > 0", [-1, 0], [1], []), ("x <= 3", [], [0, 3], [4]), ("x < 3", [], [2], [3, 4]),
            ("x = 2", [1], [2], [3]), ("6 <= x <= 10", [0, 5], [6, 10], [11]), ("1 < x < 5", [0, 1], [3], [5, 6]),
        ] as [(String, [Double], [Double], [Double])])
    func `on which side a value lies`(text: String, under: [Double], reached: [Double], over: [Double]) throws {
        let target = try Target(text)
        #expect(under.allSatisfy { target.category(of: $0) == .under })
        #expect(reached.allSatisfy { target.category(of: $0) == .reached })
        #expect(over.allSatisfy { target.category(of: $0) == .over })
    }

    @Test func `done sets a value that reaches the target`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let target = Target.random(using: &generator)
            #expect(target.status(of: Completion.reaching(target)) == .satisfactory, "\(target)")
        }
        #expect(Completion.reaching(nil) == 1)
    }

    @Test(arguments: [(2.5, 2.0, 3.0), (3, 2, 4), (-0.5, -1, 0)] as [(Double, Double, Double)])
    func `one more and one less`(value: Double, down: Double, up: Double) {
        #expect(Completion.down(value) == down)
        #expect(Completion.up(value) == up)
    }
}
