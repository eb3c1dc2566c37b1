import Testing

@testable import DAVServer

/// The header fields of requests to files.
struct FolderHeaderTests {
    @Test func `conditions of If are read, and malformed ones are not`() throws {
        let header = try #require(
            IfHeader(#"<http://h/files/a> (<urn:uuid:1> ["x"]) (Not <DAV:no-lock>) </b> ([W/"y"])"#))
        #expect(header.lists.map(\.resource) == ["http://h/files/a", "http://h/files/a", "/b"])
        #expect(header.lists[0].conditions.map(\.isNegated) == [false, false])
        #expect(header.lists[1].conditions == [.init(state: .token("DAV:no-lock"), isNegated: true)])
        #expect(header.lists[2].conditions == [.init(state: .etag(#"W/"y""#), isNegated: false)])
        #expect(header.tokens == ["urn:uuid:1", "DAV:no-lock"])
        for text in ["", "()", "(", "<a>", "(<a)", "(Not)", "x", "(<a>) y", "([\"a\")"] {
            #expect(IfHeader(text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ("bytes=0-3", ByteRange.part(0..<4)), ("bytes=4-", .part(4..<10)), ("bytes=-3", .part(7..<10)),
        ("bytes=-30", .part(0..<10)), ("bytes=0-99", .part(0..<10)), ("bytes=10-", .none), ("bytes=-0", .none),
        ("bytes=5-2", .whole), ("bytes=0-1,4-5", .whole), ("lines=1-2", .whole), ("bytes=-", .whole),
        ("bytes=a-b", .whole), ("bytes=99999999999999999999-", .none),
    ])
    func `a part of ten bytes`(field: String, range: ByteRange) {
        #expect(ByteRange(field, length: 10) == range)
    }

    @Test func `a lock covers what is below, and ends`() {
        func lock(_ token: String, _ path: [String], exclusive: Bool = true, deep: Bool = true) -> DAVLock {
            DAVLock(
                token: token, path: DAVPath(path), isExclusive: exclusive, isDeep: deep, owner: "", device: "a",
                isPlaceholder: false, timeout: 1, endsAt: 1000)
        }
        var table = DAVLockTable()
        let areAdded = [
            table.add(lock("1", ["files", "a"])), table.add(lock("2", ["files", "b"], exclusive: false)),
        ]
        #expect(areAdded == [true, true])
        #expect(table.conflicts(of: lock("3", ["files", "a", "c"])).map(\.token) == ["1"])
        #expect(table.conflicts(of: lock("3", ["files"])).map(\.token) == ["1", "2"])
        #expect(table.conflicts(of: lock("3", ["files"], deep: false)).isEmpty)
        #expect(table.conflicts(of: lock("3", ["files", "b"], exclusive: false)).isEmpty)
        #expect(table.conflicts(of: lock("3", ["files", "ab"])).isEmpty)
        table.expire(at: 1000)
        #expect(table.locks.isEmpty)
        for number in 0..<DAVLockTable.maximum {
            let isAdded = table.add(lock("\(number)", ["files", "\(number)"]))
            #expect(isAdded)
        }
        let isMoreAdded = table.add(lock("more", ["files", "more"]))
        #expect(!isMoreAdded)
    }
}
