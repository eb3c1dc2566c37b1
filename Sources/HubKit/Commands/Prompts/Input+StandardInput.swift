extension Input {
    /// The most bytes of stdin that are taken as one text.
    private static let limit = 32 << 20

    /// Returns all of stdin as text, for an argument `-`. Invalid UTF-8 is replaced; more than 32 MiB are refused.
    package func standardText() async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in console.standardInput() {
            bytes += chunk
            guard bytes.count <= Input.limit else {
                throw HubError(.invalid, code: "too-large", "the input is larger than 32 MiB")
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The selectors that `words` give: `-` stands for those on stdin, one on each line that is not empty.
    package func selectors(_ words: [String]) async throws -> [String] {
        guard words.contains("-") else { return words }
        let lines = try await standardText().split(whereSeparator: \.isNewline).map(String.init)
        return words.flatMap { $0 == "-" ? lines.filter { !$0.isEmpty } : [$0] }
    }
}
