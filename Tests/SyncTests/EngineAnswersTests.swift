import Sync
import Testing

/// The consequences of the responses to requests.
struct EngineAnswersTests {
    private let entry = RemoteEntry(href: "/a", etag: "1")

    private func engine(
        _ item: SyncItem<String>, _ others: [SyncItem<String>] = [], _ policy: SyncPolicy = SyncPolicy()
    ) throws -> EngineBox<String> {
        let links = ([item] + others).compactMap(\.link)
        return try EngineBox([item] + others, RemoteChanges(isComplete: true, entries: links), policy: policy)
    }

    private var new: SyncItem<String> { SyncItem("a", identity: 1) }
    private var changed: SyncItem<String> { SyncItem("a", isChanged: true, identity: 1, link: entry) }
    private var removed: SyncItem<String> { SyncItem("a", isHere: false, identity: 1, link: entry) }
    private var other: SyncItem<String> { SyncItem("b", identity: 2, link: RemoteEntry(href: "/b", etag: "1")) }

    @Test func `a name that another item has is read before another one is used`() throws {
        let engine = try engine(new)
        for attempt in 1...SyncLimits.attempts {
            let send = try engine.send()
            #expect(send == SyncSend("a", attempt: attempt))
            #expect(!engine.answer(.nameTaken(href: "/x\(attempt)"), to: send))
            #expect(engine.next() == .fetch(["/x\(attempt)"]))
            engine.apply(.ignored(isReadable: true), at: "/x\(attempt)", identity: 9)
        }
        #expect(engine.rest() == [.report(SyncProblem(.busy, id: "a", href: "/x3"))])
    }

    @Test func `a name that the item itself has links it`() throws {
        let engine = try engine(new)
        #expect(!engine.answer(.nameTaken(href: "/x"), to: try engine.send()))
        #expect(engine.next() == .fetch(["/x"]))
        engine.apply(.linked("a", etag: "5", sends: true), at: "/x", identity: 1)
        #expect(engine.rest() == [.send(SyncSend("a", replacing: RemoteEntry(href: "/x", etag: "5")))])
    }

    @Test func `a name that an unreadable item has is left alone`() throws {
        for outcome in [
            FetchOutcome<String>.ignored(isReadable: false), .skipped(SyncProblem(.unreadable, href: "/x")),
            .skipped(SyncProblem(.unreadable, id: "a", href: "/x")),
        ] {
            let engine = try engine(new)
            #expect(!engine.answer(.nameTaken(href: "/x"), to: try engine.send()))
            #expect(engine.next() == .fetch(["/x"]))
            engine.apply(outcome, at: "/x")
            #expect(engine.rest() == [.report(SyncProblem(.unreadable, id: "a", href: "/x"))])
        }
    }

    @Test func `a name whose item vanishes is used, one whose item goes is used after that`() throws {
        let engine = try engine(new, [other])
        #expect(!engine.answer(.nameTaken(href: "/x"), to: try engine.send()))
        #expect(engine.next() == .fetch(["/x"]))
        engine.apply(.vanished, at: "/x")
        #expect(try engine.send() == SyncSend("a"))

        let second = try self.engine(new, [other])
        #expect(!second.answer(.nameTaken(href: "/x"), to: try second.send()))
        #expect(second.next() == .fetch(["/x"]))
        second.apply(.unwanted("old", etag: "7"), at: "/x")
        #expect(second.next() == .remove("old", RemoteEntry(href: "/x", etag: "7")))
        #expect(second.answer(.gone, toRemoving: "old", RemoteEntry(href: "/x", etag: "7")))
        #expect(second.rest() == [.send(SyncSend("a"))])
    }

    @Test func `two new items that meet at one name are both decided`() throws {
        let engine = try engine(new, [SyncItem("c", identity: 3)])
        let first = try engine.send()
        let second = try engine.send()
        #expect(!engine.answer(.nameTaken(href: "/x"), to: first) && !engine.answer(.nameTaken(href: "/x"), to: second))
        #expect(engine.next() == .fetch(["/x"]))
        engine.apply(.ignored(isReadable: true), at: "/x", identity: 9)
        #expect(engine.rest() == [.send(SyncSend("a", attempt: 2)), .send(SyncSend("c", attempt: 2))])
    }

    @Test(arguments: [true, false])
    func `a server that refuses its own etag is told from an item that keeps changing`(isSame: Bool) throws {
        let engine = try engine(changed)
        var rest: [SyncAction<String>] = []
        for attempt in 1...SyncLimits.attempts {
            #expect(!engine.answer(.changedMeanwhile, to: try engine.send()))
            if attempt == SyncLimits.attempts {
                rest = engine.rest()
                break
            }
            #expect(engine.next() == .fetch(["/a"]))
            engine.apply(.linked("a", etag: isSame ? "1" : "\(attempt + 1)", sends: true), at: "/a", identity: 1)
        }
        #expect(rest == [.report(SyncProblem(isSame ? .etagRefused : .busy, id: "a", href: "/a"))])
    }

    @Test func `a second item of the same UID is reported`() throws {
        let engine = try engine(new)
        #expect(!engine.answer(.uidTaken(href: nil), to: try engine.send()))
        #expect(engine.rest() == [.report(SyncProblem(.sameUID, id: "a"))])
        let named = try self.engine(new)
        #expect(!named.answer(.uidTaken(href: "/x"), to: try named.send()))
        #expect(named.next() == .fetch(["/x"]))
        named.apply(.linked("other", etag: "2", sends: false), at: "/x")
        #expect(named.rest() == [.report(SyncProblem(.sameUID, id: "a", href: "/x"))])
    }

    @Test func `only one of two local items with the same UID is sent`() throws {
        let engine = try engine(new, [SyncItem("b", identity: 1)])
        #expect(engine.rest() == [.send(SyncSend("a")), .report(SyncProblem(.sameUIDHere, id: "b"))])
    }

    @Test func `an item that is refused for its version is sent in the old one, where there is one`() throws {
        let refused = PutResult.refused(.version(reason: "4.0"))
        let problem = SyncAction.report(SyncProblem(.refused(.version(reason: "4.0")), id: "a", href: "/a"))
        var policy = SyncPolicy()
        policy.hasOldVersion = true
        let engine = try engine(changed, [], policy)
        #expect(!engine.answer(refused, to: try engine.send()))
        let old = try engine.send()
        #expect(old == SyncSend("a", replacing: entry, inOldVersion: true))
        #expect(!engine.answer(refused, to: old))
        #expect(engine.rest() == [problem])
        let modern = try self.engine(changed)
        #expect(!modern.answer(refused, to: try modern.send()))
        #expect(modern.rest() == [problem])
    }

    @Test func `a changed item that is gone there is created`() throws {
        let engine = try engine(changed)
        #expect(!engine.answer(.gone, to: try engine.send()))
        #expect(engine.missing == ["a"])
        #expect(engine.rest() == [.send(SyncSend("a"))])
    }

    @Test func `an item that was changed before its removal is fetched, a limited number of times`() throws {
        let engine = try engine(removed, [other])
        for attempt in 1..<SyncLimits.attempts {
            let current = RemoteEntry(href: "/a", etag: "\(attempt)")
            #expect(engine.next() == .remove("a", current))
            #expect(!engine.answer(.changedMeanwhile, toRemoving: "a", current))
            #expect(engine.next() == .fetch(["/a"]))
            engine.apply(.unwanted("a", etag: "\(attempt + 1)"), at: "/a")
        }
        let last = RemoteEntry(href: "/a", etag: "\(SyncLimits.attempts)")
        #expect(engine.next() == .remove("a", last))
        #expect(!engine.answer(.changedMeanwhile, toRemoving: "a", last))
        #expect(engine.rest() == [.report(SyncProblem(.busy, id: "a", href: "/a"))])
    }

    @Test func `a removal that is refused is reported`() throws {
        let engine = try engine(removed, [other])
        let refusal = ItemRefusal.notAllowed(reason: "status 403")
        #expect(engine.next() == .remove("a", entry))
        #expect(!engine.answer(.refused(refusal), toRemoving: "a", entry))
        #expect(engine.rest() == [.report(SyncProblem(.notRemovable(refusal), id: "a", href: "/a"))])
    }

    @Test func `an item that others change right after each write is fetched a limited number of times`() throws {
        let engine = try engine(changed)
        var fetches = 0
        for _ in 0..<20 {
            engine.apply(.changedAgain, at: "/a")
            if case .fetch = engine.next() { fetches += 1 }
        }
        #expect(fetches == SyncLimits.attempts - 1)
    }

    @Test func `an item that was found elsewhere is not removed`() throws {
        let listing = RemoteChanges(isComplete: true, entries: [RemoteEntry(href: "/b", etag: "1")])
        let engine = try EngineBox([SyncItem("a", identity: 1, link: entry), other], listing)
        #expect(engine.missing == ["a"])
        engine.markMoved("a")
        #expect(engine.missing.isEmpty && engine.rest() == [])
    }

    @Test func `a sync that ends early still has its problems`() throws {
        let engine = try engine(changed)
        let problem = SyncProblem<String>(.unreadable, href: "/x")
        engine.apply(.skipped(problem), at: "/x")
        #expect(!engine.answer(.changedMeanwhile, to: SyncSend("a")))
        #expect(engine.takeProblems() == [SyncProblem(.busy, id: "a"), problem] && engine.takeProblems().isEmpty)
    }

    @Test func `five errors of the server in a row end a sync, known ones do not count`() throws {
        var streak = ServerErrorStreak()
        let error = ItemRefusal.serverError(reason: "status 500")
        for _ in 1..<ServerErrorStreak.limit { try streak.note(error) }
        try streak.note(nil)
        for _ in 1..<ServerErrorStreak.limit { try streak.note(error) }
        for _ in 0..<20 { try streak.note(error, isKnown: true) }
        #expect(throws: RemoteError.serverError(reason: "status 500")) { try streak.note(error) }
        #expect(error.isServerError && !ItemRefusal.tooLarge(reason: "1 GB").isServerError)
    }

    @Test func `hrefs and etags that differ in their Unicode form alone are different ones`() {
        let (composed, decomposed) = ("/caf\u{E9}", "/cafe\u{301}")
        var engine = SyncEngine<String>(items: [
            SyncItem("a", identity: 1, link: RemoteEntry(href: composed, etag: "\u{E9}")),
            SyncItem("b", identity: 2, link: RemoteEntry(href: decomposed, etag: "1")),
        ])
        engine.list(
            RemoteChanges(
                isComplete: true,
                entries: [
                    RemoteEntry(href: composed, etag: "e\u{301}"), RemoteEntry(href: decomposed, etag: "2"),
                    RemoteEntry(href: "/n\u{E9}", etag: "1"), RemoteEntry(href: "/ne\u{301}", etag: "1"),
                ], token: nil))
        let fetched = Set((engine.nextFetch() ?? []).map { Array($0.utf8) })
        #expect(fetched.count == 4 && engine.newItems == 2)
    }
}
