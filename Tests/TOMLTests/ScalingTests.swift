import TOML
import TestSupport
import Testing

struct ScalingTests {
    @Test(arguments: [
        "k# = \"v\"\n", "[t#]\na = 1\n", "[[t]]\na = 1\n", "a#.b.c = 1\n", "# comment\n", "\n", "x = [", "'", "\"\\",
        ".",
        "[a.b.c#]\n",
    ])
    func `a file of many lines`(line: String) {
        Scaling.expectLinear(line, size: 66) { count in
            numbered(count) { line.replacing("#", with: String($0)) }
        } _: {
            _ = try? TOML.parse($0)
        }
    }

    @Test(arguments: ["1, ", "\"é\", ", "{ a = 1 }, ", "\n", "[1], "])
    func `a value of many parts`(part: String) {
        Scaling.expectLinear(part, size: 133) {
            repeated(part, $0, after: "a = [", before: "]\n")
        } _: {
            _ = try? TOML.parse($0)
        }
    }
}
