import NotesDomain
import Testing
import Time

/// Who may do what, as one table, and what becomes of requests.
struct AccessTests {
    private static let access = NoteAccess(owner: "owner", members: ["owner", "reader"])

    private static let viewed = NoteAccess(
        owner: "owner", members: ["owner", "reader", "viewer"], readers: ["viewer", "stranger", "owner"])

    /// For each operation: owner, member, member who only reads, stranger; `.` allowed, `L` locked, `O` for the owner alone, `U`
    /// unlocked already, `M` not a member, `V` only to be read.
    private static let table: [(NoteOperation, String)] = [
        (.list, "...."), (.create, "...."), (.read, "...L"), (.edit, "..VL"), (.presence, "...L"), (.delete, ".OOL"),
        (.share, ".OOL"), (.leave, "O..M"), (.requestAccess, "UUU."), (.answerRequest, ".OOL"), (.transfer, ".OOL"),
    ]

    /// For each operation: legacy clients of a server that is open, read-only, off; `A` needs an account, `R` is read-only.
    private static let legacyTable: [(NoteOperation, String)] = [
        (.list, "..A"), (.create, ".RA"), (.read, "..A"), (.edit, ".RA"), (.presence, "AAA"), (.delete, ".RA"),
        (.share, ".RA"), (.leave, "AAA"), (.requestAccess, "..A"), (.answerRequest, "AAA"), (.transfer, "AAA"),
    ]

    private func sign(_ refusal: AccessRefusal?) -> Character {
        switch refusal {
        case nil: "."
        case .locked: "L"
        case .ownerOnly: "O"
        case .alreadyUnlocked: "U"
        case .notMember: "M"
        case .authenticationRequired: "A"
        case .readOnly: "R"
        case .readerOnly: "V"
        }
    }

    @Test func `each operation by each kind of account`() {
        #expect(Set(Self.table.map(\.0)) == Set(NoteOperation.allCases))
        for (operation, expected) in Self.table {
            let signs = ["owner", "reader", "viewer", "stranger"].map {
                sign(AccessRule.decide(operation, by: .account($0), on: Self.viewed, legacy: .open))
            }
            #expect(String(signs) == expected, "\(operation)")
            #expect(AccessRule.decide(operation, by: .local, on: Self.access, legacy: .off) == nil)
        }
    }

    @Test func `each operation by a client without a name`() {
        #expect(Set(Self.legacyTable.map(\.0)) == Set(NoteOperation.allCases))
        for (operation, expected) in Self.legacyTable {
            let signs = LegacyMode.allCases.map {
                sign(AccessRule.decide(operation, by: .anonymous, on: Self.access, legacy: $0))
            }
            #expect(String(signs) == expected, "\(operation)")
        }
    }

    @Test func `an empty name opens nothing`() {
        let local = NoteAccess(owner: "", members: [""])
        #expect(!local.isUnlocked(for: ""))
        #expect(AccessRule.decide(.read, by: .account(""), on: local, legacy: .open) == .locked)
    }

    @Test func `a stale list undoes no grant of others`() {
        let change = AccessChange(from: ["owner"], to: ["owner", "new"])
        #expect(change.applied(to: Self.access).members == ["owner", "reader", "new"])
        let removal = AccessChange(from: ["owner", "reader"], to: ["reader"])
        #expect(removal.applied(to: Self.access).members == ["owner", "reader"], "the owner stays")
        #expect(AccessChange(from: ["a", "b"], to: ["b", "a"]).isEmpty)
    }

    @Test func `who may edit changes as a set`() {
        #expect(Self.viewed.readers == ["viewer"], "the owner edits, and who is no member reads nothing")
        var access = Self.viewed
        access.grantReading(["reader", "owner", "new"])
        #expect(access.readers == ["reader", "viewer", "new"])
        let change = AccessChange(from: Self.viewed, to: access)
        #expect(change == AccessChange(readers: ["reader", "new"]))
        #expect(change.applied(to: Self.viewed) == access)
        #expect(AccessChange(from: access, to: Self.viewed).applied(to: access) == Self.viewed)
        access.revoke(["viewer"])
        access.grant(["viewer"])
        #expect(access.readers == ["reader", "new"], "who was removed comes back as someone new")
    }

    @Test func `the three filters`() {
        let notes = [Self.access, NoteAccess(owner: "stranger"), NoteAccess(owner: "owner", members: ["owner"])]
        func count(_ filter: AccessFilter) -> Int { notes.count { filter.includes($0, for: "reader") } }
        #expect(AccessFilter.allCases.map(count) == [3, 2, 1])
    }

    @Test func `a request waits once, can be renewed, answered and expires`() {
        let start = Instant(milliseconds: 0)
        var request = AccessRequest(note: "1ab", requester: "b", reason: "please", requestedAt: start)
        #expect(request.state(at: start) == .pending)
        var isNews = request.renew(reason: "", at: start + .seconds(60))
        #expect(!isNews, "the same again is not news")
        #expect(request.requestedAt == start)
        isNews = request.renew(reason: "I need it", at: start + .seconds(60))
        #expect(isNews)
        #expect(request.reason == "I need it")
        let late = request.expiresAt
        #expect(request.state(at: late) == .expired)
        var change = request.answer(allow: true, at: late)
        #expect(change == nil)
        isNews = request.renew(reason: "", at: late)
        #expect(isNews, "an expired one may be made again")
        change = request.answer(allow: true, at: late)
        #expect(change == AccessChange(granted: ["b"]))
        change = request.answer(allow: false, at: late)
        #expect(change == nil, "it is answered already")
        #expect(request.state(at: late) == .allowed)
        isNews = request.renew(reason: "", at: late)
        #expect(isNews)
        change = request.answer(allow: false, at: late)
        #expect(change == AccessChange())
        #expect(request.state(at: late) == .denied)
    }
}
