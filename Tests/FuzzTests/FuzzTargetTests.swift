import FoundationEssentials
import FuzzTargets
import TestSupport
import Testing

struct FuzzTargetTests {
    @Test(arguments: FuzzTarget.allCases)
    func `every input that a fuzzer began with or found keeps all properties`(target: FuzzTarget) throws {
        let inputs = try ["Seeds", "Findings"].flatMap { try FuzzInput.all(in: "\($0)/\(target.rawValue)") }
        #expect(!inputs.isEmpty)
        for input in inputs { #expect(target.brokenProperty(input.bytes) == nil, "\(input.name)") }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `changed and cut seeds keep all properties`(target: FuzzTarget) throws {
        var random = SeededGenerator(seed: 1)
        let seeds = try FuzzInput.all(in: "Seeds/\(target.rawValue)").map(\.bytes)
        for _ in 0..<200 {
            guard var bytes = seeds.randomElement(using: &random), !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            let input = Array(bytes.prefix(Int.random(in: 0...bytes.count * 2, using: &random)))
            #expect(target.brokenProperty(input) == nil, "\(input)")
        }
    }
}

/// An input that is kept in `Tests/Fuzz`.
private struct FuzzInput {
    let name: String
    let bytes: [UInt8]

    /// The files of a folder of `Tests/Fuzz`; none when there is no such folder.
    static func all(in folder: String, file: String = #filePath) throws -> [FuzzInput] {
        let tests = file.split(separator: "/").dropLast(2).joined(separator: "/")
        let path = "/\(tests)/Fuzz/\(folder)"
        return try fileNames(in: path).map { name in
            let data = try Data(contentsOf: URL(filePath: "\(path)/\(name)"))
            return FuzzInput(name: name, bytes: Array(data))
        }
    }
}
